import { canonicalJson } from 'echelon/internal/value'
import { EchelonError } from 'echelon/internal/value'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { AgentSessionStateBag } from './state-bag.ts'

/** Signs what is stored, so that nobody else could have written it. */
export interface Seal {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** What is stored of a session. */
export interface SessionContent {
  readonly agentId: string
  /** The chat agent's own checkpoint. */
  readonly session: unknown
  readonly stateBag: AgentSessionStateBag
  /** A run that waits for a response. */
  readonly waits: string | undefined
}

const KIND = 'echelon-aiagent-session'
const VERSION = 1

export function stored(
  { agentId, session, stateBag, waits }: SessionContent,
  seal: Seal | undefined,
): JsonObject {
  const content: unknown = JSON.parse(
    JSON.stringify({
      kind: KIND,
      version: VERSION,
      agentId,
      session,
      stateBag: stateBag.serialize(),
      waits,
    }),
  )
  if (!isJson(content) || !isJsonObject(content)) throw refused('it holds what JSON cannot hold')
  return seal === undefined ? content : { ...content, signature: seal.sign(canonicalJson(content)) }
}

/**
 * What was stored, none of it believed: the conversation itself is checked by the chat agent.
 * @throws EchelonError STATE_REFUSED for what is no stored session of this agent, or was changed
 */
export function unstored(
  given: unknown,
  agentId: string,
  { seal, trusted }: { readonly seal: Seal | undefined; readonly trusted: boolean },
): SessionContent & { readonly isTrusted: boolean } {
  const value = typeof given === 'string' ? parsed(given) : given
  if (!isJson(value) || !isJsonObject(value) || value['kind'] !== KIND) {
    throw refused('it is no stored session; give what serializeSession returned')
  }
  const { signature, ...content } = value
  const { version, agentId: owner, session, stateBag, waits } = content
  if (version !== VERSION) {
    throw refused(
      `it is of version ${JSON.stringify(version)} and this code reads ${VERSION}; update echelon`,
    )
  }
  if (
    seal !== undefined &&
    (typeof signature !== 'string' || !seal.isSigned(canonicalJson(content), signature))
  ) {
    throw refused('it is not signed with the secret of this agent, or was changed after that')
  }
  if (owner !== agentId) {
    throw refused(
      `it belongs to the agent ${JSON.stringify(owner)}, not to ${agentId}; sessions do not move between agents`,
    )
  }
  const isTrusted = trusted || seal !== undefined
  if (waits !== undefined && typeof waits !== 'string') throw refused('it names no run that waits')
  if (waits !== undefined && !isTrusted) {
    throw refused(
      'a run of it waits for a response, and whoever wrote it could name any run; give the agent a secret, or restore it with { trusted: true } where nobody but you can have written it',
    )
  }
  return {
    agentId,
    session,
    stateBag: AgentSessionStateBag.deserialize(stateBag),
    waits,
    isTrusted,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refused = (problem: string): EchelonError =>
  new EchelonError('STATE_REFUSED', `the session cannot be restored: ${problem}`)
