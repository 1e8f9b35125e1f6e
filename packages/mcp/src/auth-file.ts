import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { readGivenText } from 'echelon/internal/platform'
import type { McpAuthStore } from './auth.ts'

/**
 * Stores the tokens of MCP servers in one JSON file that only its owner can read (mode 0600; a new
 * folder gets 0700). Each write replaces the file atomically. If two processes write at the same
 * time, the last one wins.
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
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const MAX_BYTES = 16 * 1024 * 1024

async function contentOf(path: string): Promise<JsonObject> {
  const text = await readGivenText(path, MAX_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new EchelonError(
      'INVALID_CONFIG',
      `the tokens in ${path} cannot be read (${error.message}); repair the file, or remove it and sign in again`,
      { cause: error },
    )
  })
  const content = parsed(text)
  if (content !== undefined) return content
  throw new EchelonError(
    'INVALID_CONFIG',
    `${path} is not a token file; remove it and sign in again`,
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
