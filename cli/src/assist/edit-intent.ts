import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import type { MemoryFolder } from '@echelon/assist'
import { readGivenText } from 'echelon/config'
import type { Io } from '../io.ts'

/**
 * Opens a copy of the intent in the user's editor, and replaces the intent if the copy is valid.
 * @returns a sentence that says what was done
 * @throws EchelonError INVALID_INPUT for an invalid edit, which is kept in a file, and if there is no
 * editor or no terminal
 */
export async function editIntent(io: Io, memory: MemoryFolder): Promise<string> {
  if (!io.stdin.isTTY) {
    throw new EchelonError(
      'INVALID_INPUT',
      `an editor needs a terminal, and there is none here; change one field with intent set, or edit ${memory.intentFile}`,
    )
  }
  const before = await memory.intentText()
  const folder = await mkdtemp(join(tmpdir(), 'echelon-intent-'))
  const copy = join(folder, 'intent.json')
  await writeFile(copy, before, { mode: 0o600 })
  await openEditor(io, copy)
  const after = await readGivenText(copy, MOST_BYTES)
  if (after === before) {
    await rm(folder, { recursive: true, force: true })
    // Reports an intent that was invalid before.
    await memory.intent()
    return 'nothing was changed'
  }
  try {
    await memory.setIntent(after, { ifText: before })
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    throw new EchelonError(
      error.code,
      `${error.message}\nthe intent is as it was; what you wrote is kept in ${copy}`,
      { cause: error },
    )
  }
  await rm(folder, { recursive: true, force: true })
  return `kept in ${memory.intentFile}; it holds from the next turn on`
}

/** Limit of an edited file. */
const MOST_BYTES = 16 * 1024 * 1024

async function openEditor(io: Io, file: string): Promise<void> {
  const [program = '', ...args] = (io.env['VISUAL'] ?? io.env['EDITOR'] ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (program === '') {
    throw new EchelonError(
      'INVALID_INPUT',
      'no editor is set; set EDITOR, as in EDITOR=nano, or change one field with intent set',
    )
  }
  const editor = spawn(program, [...args, file], { stdio: 'inherit' })
  try {
    const [status]: readonly unknown[] = await once(editor, 'exit')
    if (status === 0) return
  } catch (cause) {
    throw new EchelonError('INVALID_INPUT', `${program} cannot be started; set EDITOR to another`, {
      cause,
    })
  }
  throw new EchelonError('INVALID_INPUT', `${program} ended with an error; the intent is as it was`)
}
