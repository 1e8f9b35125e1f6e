import { canonicalJson, EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { AgentSessionStateBag } from './state-bag.ts'

/** Signs stored sessions, so that forged ones are detected. */
export interface Seal {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** The content of a stored session. */
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

export function storedForm(
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
  if (!isJson(content) || !isJsonObject(content))
    throw refused('it contains values that JSON cannot express')
  return seal === undefined ? content : { ...content, signature: seal.sign(canonicalJson(content)) }
}

/**
 * Checks a stored session as untrusted input; the chat agent checks the conversation itself.
 * @throws EchelonError STATE_REFUSED for anything but a stored session of this agent, and for a changed
 * one
 */
export function restoreStored(
  input: unknown,
  agentId: string,
  { seal, trusted }: { readonly seal: Seal | undefined; readonly trusted: boolean },
): SessionContent & { readonly isTrusted: boolean } {
  const value = typeof input === 'string' ? parsed(input) : input
  if (!isJson(value) || !isJsonObject(value) || value['kind'] !== KIND) {
    throw refused('it is not a stored session; pass the result of serializeSession')
  }
  const { signature, ...content } = value
  const { version, agentId: owner, session, stateBag, waits } = content
  if (version !== VERSION) {
    throw refused(
      `it has version ${JSON.stringify(version)}, and this code reads ${VERSION}; update echelon`,
    )
  }
  if (
    seal !== undefined &&
    (typeof signature !== 'string' || !seal.isSigned(canonicalJson(content), signature))
  ) {
    throw refused('it is not signed with the secret of this agent, or was changed afterwards')
  }
  if (owner !== agentId) {
    throw refused(
      `it belongs to the agent ${JSON.stringify(owner)}, not to ${agentId}; sessions cannot be moved between agents`,
    )
  }
  const isTrusted = trusted || seal !== undefined
  if (waits !== undefined && typeof waits !== 'string')
    throw refused('its waiting run is not a string')
  if (waits !== undefined && !isTrusted) {
    throw refused(
      'it has a run that waits for a response, and an untrusted session could name any run; give the agent a secret, or restore it with { trusted: true } if only you can have written it',
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
