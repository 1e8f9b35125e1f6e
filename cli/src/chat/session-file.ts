import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { EchelonError } from 'echelon'
import type { Agent, Session } from 'echelon/chat'

/** More than any conversation may hold; a longer file is not even read. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Keeps a conversation in a file that its owner alone can read: what was said stands in it as it was.
 * A file that holds a conversation is replaced, any other is left alone.
 * @throws EchelonError INVALID_INPUT where it cannot be kept
 */
export function saveSession(path: string, session: Session): void {
  if (path === '') throw unusable('there is no name of a file; write /save FILE')
  if (isThere(path) && !holdsSession(path)) {
    throw unusable(`${path} is there and holds no conversation; choose another name`)
  }
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, `${JSON.stringify(session.checkpoint())}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw unusable(`the conversation cannot be kept in ${path} (${reasonOf(cause)})`, cause)
  }
}

/**
 * The conversation of a file, which only its owner can write: what they approved for good holds.
 * @throws EchelonError INVALID_INPUT for a file that cannot be read, and what the agent refuses
 */
export const resumeSession = (path: string, agent: Agent): Session =>
  agent.restoreSession(readJson(path), { trusted: true })

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > MOST_BYTES) throw new Error('it is too long')
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw unusable(`no conversation can be read from ${path} (${reasonOf(cause)})`, cause)
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function holdsSession(path: string): boolean {
  try {
    const held = readJson(path)
    return typeof held === 'object' && held !== null && 'kind' in held && held.kind === KIND
  } catch {
    return false
  }
}

const KIND = 'echelon-session'

const unusable = (message: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', message, cause === undefined ? {} : { cause })

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
