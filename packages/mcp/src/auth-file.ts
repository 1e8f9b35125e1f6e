import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { readGivenText } from 'echelon/internal/host'
import type { McpAuthStore } from './auth.ts'

/**
 * Tokens of MCP servers in one JSON file that nobody but its owner can read (0600, in a folder of
 * 0700 where that is made here). Written as a whole and put in place at once. Of two processes that
 * write at the same time the last one holds.
 */
export function authFile(file: string): McpAuthStore {
  const path = resolve(file)
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: async (key) => (await contentOf(path))[key],
    async write(key, value) {
      const writing = last.then(() => change(path, key, value))
      last = writing.catch(() => undefined)
      await writing
    },
  }
}

async function change(path: string, key: string, value: Json): Promise<void> {
  const { [key]: _, ...others } = await contentOf(path)
  const content = value === null ? others : { ...others, [key]: value }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${randomUUID()}`
  try {
    await writeFile(written, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(written, path)
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
}

const MOST_BYTES = 16 * 1024 * 1024

async function contentOf(path: string): Promise<JsonObject> {
  const text = await readGivenText(path, MOST_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new EchelonError(
      'INVALID_CONFIG',
      `the tokens in ${path} cannot be read (${error.message}); mend the file, or remove it and sign in again`,
      { cause: error },
    )
  })
  const content = parsed(text)
  if (content !== undefined) return content
  throw new EchelonError(
    'INVALID_CONFIG',
    `${path} does not hold tokens as they are written here; remove it, and sign in again`,
  )
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) && isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
