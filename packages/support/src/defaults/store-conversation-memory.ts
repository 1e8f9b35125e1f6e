import type { JSONObject } from '@ai-sdk/provider'
import { EchelonError } from 'echelon/internal/value'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { SessionChange, SessionStore } from 'echelon/internal/store'
import type { Message as KeptMessage } from 'echelon/runtime'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import { isSameMessage, type Message } from '../message.ts'
import { textField } from '../text-field.ts'

export interface StoreConversationMemoryOptions {
  /** Whose conversations they are, for whoever lists them; default `support`. */
  readonly agent?: string
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number
}

/** Where what a message is besides its text stands in a message of the store. */
const OWN = 'echelon'

/** So often others may be faster before it is said. */
const MOST_TRIES = 100

/**
 * Conversations in a store, so that they outlive the process, and several share them.
 *
 * They are kept as `support:` and the session's id. A turn of the session itself is a run that holds
 * the session's own id, and nobody writes to that meanwhile (`SessionStore.save`); so a message can
 * be appended while its turn is under way, and `clear` deletes both.
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

  /** @throws EchelonError JOURNAL_MISMATCH where the conversation is another agent's */
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
        // Another process has appended meanwhile: what it wrote comes first.
        const isBehind = error instanceof EchelonError && error.code === 'JOURNAL_MISMATCH'
        const isOthers = stored !== undefined && stored.agent !== this.#agent
        if (!isBehind || isOthers || tries === MOST_TRIES) throw error
      }
    }
  }

  /**
   * Deletes a conversation, and the runs of its turns with all that the store keeps of them.
   * @throws EchelonError SESSION_BUSY while a turn of it is under way; nothing is deleted then
   */
  async clear(sessionId: string): Promise<void> {
    // The turns first: where one is under way, all of it stays.
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

/** What a store calls the conversation of a session. */
const keptAs = (sessionId: string): string => `support:${sessionId}`

function keptMessage({ role, text, timestamp, metadata }: Message): KeptMessage {
  const own: JSONObject = { timestamp, metadata: JSON.parse(JSON.stringify(metadata)) }
  const content = [{ type: 'text' as const, text }]
  const providerOptions = { [OWN]: own }
  return role === 'user'
    ? { role: 'user', content, providerOptions }
    : { role: 'assistant', content, providerOptions }
}

/** One that was brought along some other way has its text, and the time at which the conversation began. */
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
