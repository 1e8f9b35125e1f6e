import { EchelonError } from '../../../core/value/error.ts'
import { isJson, isRecord, type JsonObject } from '../../../core/value/json.ts'
import {
  CONTAINER_VERSION,
  MOST_STATE_BYTES,
  type StateContainer,
} from '../../../core/state/state.ts'
import { type Message, systemMessage, Thread } from '../../../core/message/thread.ts'
import { utf8Bytes } from '../../../core/value/utf8.ts'
import { permissions } from '../../../middleware/permissions.ts'
import { CHAT_VERSION } from '../chat-definition.ts'
import { checkMessages, isText } from '../input/message-check.ts'
import { Session } from './session.ts'

export interface RestoreOptions {
  /**
   * Whether only this program could have written the checkpoint. If not, its permanent approvals are
   * asked for again (denials stay), and a system message that is not the agent's own is rejected.
   * Default false.
   */
  readonly trusted?: boolean
}

/** The agent that reads a checkpoint. */
export interface RestoringAgent {
  readonly name: string
  readonly instructions: string | undefined
}

/** Size limits of a checkpoint, trusted or not. */
const MOST_MESSAGES = 100_000
const MOST_BYTES = 64 * 1024 * 1024
const MOST_STATES = 256

/**
 * Parses the conversation of a checkpoint and checks every part. Its states are migrated to the current
 * code when the next turn begins.
 * @throws EchelonError STATE_REFUSED unless it is a checkpoint of this agent; INVALID_INPUT with the
 * index of a message that no conversation can continue
 */
export function restoredSession(
  checkpoint: unknown,
  agent: RestoringAgent,
  { trusted = false }: RestoreOptions = {},
): Session {
  if (!isRecord(checkpoint) || checkpoint['kind'] !== 'echelon-session') {
    throw refused('it is not a checkpoint of a session; give what checkpoint() returned')
  }
  const { version, id, messages, states } = checkpoint
  if (version !== 1) {
    throw refused(`it is of version ${String(version)} and this code reads 1; update echelon`)
  }
  if (!isText(id) || id.length > 256)
    throw refused('its id is not a text of at most 256 characters')
  checkAgent(checkpoint['agent'], agent.name)
  const stored = containerOf(states)
  const said = messagesOf(messages)
  return new Session(id, agent.name, {
    thread: Thread.of(trusted ? said : withOwnInstructions(said, agent.instructions)),
    states: trusted ? stored : withoutApprovals(stored),
  })
}

/** A system message controls the model, so only the agent's own is accepted. */
function withOwnInstructions(
  messages: readonly Message[],
  instructions: string | undefined,
): readonly Message[] {
  const begins = messages[0]?.role === 'system'
  const said = begins ? messages.slice(1) : messages
  const isOwn = !begins || isText(instructions)
  if (!isOwn || said[0]?.role === 'system') {
    throw refused(
      `message ${isOwn ? 1 : 0} is a system message and not of the agent's instructions; if only you can have written it, restore it with { trusted: true }`,
    )
  }
  return begins && isText(instructions) ? [systemMessage(instructions), ...said] : messages
}

/** Permanent approvals must come from the user. */
function withoutApprovals(container: StateContainer): StateContainer {
  const { key } = permissions()
  const { [key]: answered, ...others } = container.states
  if (answered === undefined) return container
  const answers = isRecord(answered) ? answered['answers'] : undefined
  // Its schema would reject anything else, so it starts with its initial state.
  if (!isRecord(answers) || !isJson(answers)) return { ...container, states: others }
  const kept = Object.entries(answers).filter(([, answer]) => answer === 'never')
  const states = { ...others, [key]: { answers: Object.fromEntries(kept) } }
  return { ...container, states }
}

function checkAgent(stored: unknown, agent: string): void {
  if (!isRecord(stored) || !isText(stored['name']) || typeof stored['version'] !== 'number') {
    throw refused('it does not say which agent held it')
  }
  const { name, version } = stored
  if (name !== agent) throw refused(`it was held by the agent ${name}, not by ${agent}`)
  if (version > CHAT_VERSION) {
    throw refused(`it was held by version ${version} of the agent, which is newer; update echelon`)
  }
}

function messagesOf(messages: unknown): readonly Message[] {
  if (!Array.isArray(messages)) throw refused('it has no list of messages')
  if (messages.length > MOST_MESSAGES) {
    throw refused(`it holds ${messages.length} messages, and may hold ${MOST_MESSAGES}`)
  }
  const checked = checkMessages(messages)
  let bytes = 0
  for (const message of checked) bytes += utf8Bytes(JSON.stringify(message))
  if (bytes > MOST_BYTES) throw refused(`it takes ${bytes} bytes; the limit is ${MOST_BYTES}`)
  return checked
}

function containerOf(stored: unknown): StateContainer {
  if (!isRecord(stored)) throw refused('it holds no states')
  const { states, schemaSignature, schemaVersion, stateVersions } = stored
  if (schemaVersion !== CONTAINER_VERSION) {
    throw refused(`its states are of version ${String(schemaVersion)} of the container`)
  }
  if (schemaSignature !== null && typeof schemaSignature !== 'string') {
    throw refused('it has no signature of its states')
  }
  return {
    states: statesOf(states),
    schemaSignature,
    schemaVersion: CONTAINER_VERSION,
    stateVersions: versionsOf(stateVersions),
  }
}

function statesOf(states: unknown): JsonObject {
  if (!isRecord(states) || !isJson(states)) throw refused('its states are not a JSON object')
  const entries = Object.entries(states)
  if (entries.length > MOST_STATES) throw refused(`it holds more than ${MOST_STATES} states`)
  for (const [key, state] of entries) {
    const bytes = utf8Bytes(JSON.stringify(state))
    if (bytes > MOST_STATE_BYTES) throw refused(`the state of ${key} takes ${bytes} bytes`)
  }
  return Object.fromEntries(entries)
}

function versionsOf(versions: unknown): StateContainer['stateVersions'] {
  if (versions === null) return null
  if (!isRecord(versions)) throw refused('its states have no versions')
  return Object.fromEntries(
    Object.entries(versions).map(([key, version]) => {
      if (typeof version === 'number' && Number.isInteger(version)) return [key, version]
      throw refused(`the state of ${key} has no version`)
    }),
  )
}

const refused = (problem: string): EchelonError =>
  new EchelonError('STATE_REFUSED', `the session cannot be restored: ${problem}`)
