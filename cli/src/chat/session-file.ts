import { statSync } from 'node:fs'
import { EchelonError } from 'echelon/runtime'
import type { Session } from 'echelon/chat'
import { readGivenTextSync, UnreadableFileError } from 'echelon/config'
import { replaceFile } from '../replace-file.ts'

/** A longer file cannot be a conversation and is not read. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Writes a conversation to a file that only its owner can read, since it holds the full text.
 * Replaces a file only if it holds a conversation.
 * @throws EchelonError INVALID_INPUT if the file cannot be written
 */
export function saveSession(path: string, session: Session, model: string | undefined): void {
  if (path === '') throw unusable('there is no name of a file; write /save FILE')
  if (isThere(path) && !holdsSession(path)) {
    throw unusable(`${path} is there and holds no conversation; choose another name`)
  }
  try {
    const held = { ...session.checkpoint(), ...(model !== undefined && { model }) }
    replaceFile(path, `${JSON.stringify(held)}\n`, 0o600)
  } catch (cause) {
    const reason = isMissing(cause) ? 'there is no such folder' : reasonOf(cause)
    throw unusable(`the conversation cannot be kept in ${path}: ${reason}`, cause)
  }
}

/** A conversation from a file, and its model, if the file names one. */
export interface Kept {
  readonly path: string
  readonly checkpoint: unknown
  readonly model: string | undefined
}

/**
 * Reads a file that `/save` wrote.
 * @throws EchelonError INVALID_INPUT if it cannot be read or holds something else
 */
export function readKept(path: string): Kept {
  const held = readJson(path)
  if (!isSession(held)) throw unusable(`${path} holds no conversation; ${WHICH}`)
  const { model, ...checkpoint } = held
  return { path, checkpoint, model: typeof model === 'string' ? model : undefined }
}

const WHICH = 'name a file that /save kept'

function readJson(path: string): unknown {
  try {
    return JSON.parse(readGivenTextSync(path, MOST_BYTES))
  } catch (cause) {
    if (cause instanceof UnreadableFileError && cause.isTooLarge) {
      throw unusable(`${path} is too long; ${WHICH}`, cause)
    }
    if (cause instanceof SyntaxError) {
      throw unusable(`${path} holds no conversation; ${WHICH}`, cause)
    }
    throw unusable(`no conversation can be read from ${path}: ${reasonOf(cause)}`, cause)
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function holdsSession(path: string): boolean {
  try {
    return isSession(readJson(path))
  } catch {
    return false
  }
}

const isSession = (held: unknown): held is object & { readonly model?: unknown } =>
  typeof held === 'object' && held !== null && 'kind' in held && held.kind === 'echelon-session'

const unusable = (message: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', message, cause === undefined ? {} : { cause })

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Puts the system's error code into words. */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(REASONS, code) ? (REASONS[code] ?? code) : code || 'it is not known why'
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}
