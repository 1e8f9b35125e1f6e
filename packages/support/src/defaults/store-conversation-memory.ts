import type { JSONObject } from '@ai-sdk/provider'
import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject, Message as KeptMessage } from 'echelon/runtime'
import type { SessionChange, SessionStore } from 'echelon/internal/store'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import { isSameMessage, type Message } from '../message.ts'
import { textField } from '../text-field.ts'

export interface StoreConversationMemoryOptions {
  /** The agent name under which conversations are listed; default `support`. */
  readonly agent?: string
  /** Milliseconds since the epoch; default the system clock. */
  readonly now?: () => number
}

/** The key of a message's other fields within a stored message. */
const OWN = 'echelon'

/** Attempts against concurrent writers before giving up. */
const MOST_TRIES = 100

/**
 * Conversations in a store, so that they outlive the process, and several processes can share them.
 *
 * They are stored as `support:` and the session's id. A turn of the session itself is a run that locks the
 * session's own id against other writers (`SessionStore.save`); with the prefix, a message can be appended during
 * its turn. `clear` deletes both.
 */
export class StoreConversationMemory implements ConversationMemory {
  readonly #sessions: SessionStore
  readonly #agent: string
  readonly #now: () => number

  constructor(sessions: SessionStore, options: StoreConversationMemoryOptions = {}) {
    this.#sessions = sessions
    this.#agent = options.agent ?? 'support'
    this.#now = options.now ?? Date.now
  }

  async getHistory(sessionId: string): Promise<readonly Message[]> {
    const stored = await this.#sessions.load(keptAs(sessionId))
    return (stored?.messages ?? []).flatMap((message) => messageIn(message, stored?.beganAt ?? 0))
  }

  /** @throws EchelonError JOURNAL_MISMATCH if the conversation is another agent's */
  async append(sessionId: string, message: Message): Promise<void> {
    for (let tries = 1; ; tries++) {
      const stored = await this.#sessions.load(keptAs(sessionId))
      const kept = stored?.messages ?? []
      const beganAt = stored?.beganAt ?? 0
      const isThere = kept
        .flatMap((each) => messageIn(each, beganAt))
        .some((each) => isSameMessage(each, message))
      if (isThere) return
      try {
        return await this.#sessions.save(this.#change(sessionId, kept.length, message))
      } catch (error) {
        // Another process has appended meanwhile: its messages come first.
        const isBehind = error instanceof EchelonError && error.code === 'JOURNAL_MISMATCH'
        const isOthers = stored !== undefined && stored.agent !== this.#agent
        if (!isBehind || isOthers || tries === MOST_TRIES) throw error
      }
    }
  }

  /**
   * Deletes a conversation, and the runs of its turns with all their data.
   * @throws EchelonError SESSION_BUSY during one of its turns; nothing is deleted then
   */
  async clear(sessionId: string): Promise<void> {
    // The turns first: if one is in progress, everything stays.
    await this.#sessions.remove(sessionId)
    await this.#sessions.remove(keptAs(sessionId))
  }

  #change(sessionId: string, length: number, message: Message): SessionChange {
    return {
      id: keptAs(sessionId),
      agent: this.#agent,
      from: length,
      keep: length,
      messages: [keptMessage(message)],
      states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
      continues: null,
      at: this.#now(),
    }
  }
}

/** The store's id for the conversation of a session. */
const keptAs = (sessionId: string): string => `support:${sessionId}`

function keptMessage({ role, text, timestamp, metadata }: Message): KeptMessage {
  const own: JSONObject = { timestamp, metadata: JSON.parse(JSON.stringify(metadata)) }
  const content = [{ type: 'text' as const, text }]
  const providerOptions = { [OWN]: own }
  return role === 'user'
    ? { role: 'user', content, providerOptions }
    : { role: 'assistant', content, providerOptions }
}

/** An imported message has only its text, and gets the time at which the conversation began. */
function messageIn(kept: KeptMessage, beganAt: number): readonly Message[] {
  const { role, content, providerOptions } = kept
  if (role !== 'user' && role !== 'assistant') return []
  const own: unknown = providerOptions?.[OWN] ?? {}
  const { timestamp, metadata } = isJson(own) && isJsonObject(own) ? own : NOTHING
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return [
    {
      role: role === 'user' ? 'user' : 'agent',
      text,
      timestamp:
        textField({ timestamp: timestamp ?? null }, 'timestamp') || new Date(beganAt).toISOString(),
      metadata: isJsonObject(metadata) ? metadata : {},
    },
  ]
}

const NOTHING: JsonObject = {}
