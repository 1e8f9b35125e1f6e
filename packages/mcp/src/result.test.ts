import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { artifactFolder } from '../../echelon/src/host/artifact-folder.ts'
import { ToolError } from '../../echelon/src/core/tool/tool.ts'
import { readResult } from './result.ts'

/** None of these images is looked at. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

const folder = mkdtempSync(join(tmpdir(), 'echelon-mcp-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const context = { artifacts: artifactFolder({ folder, maxArtifactMb: 0.001 }, unmeasured) }
const read = (result: Parameters<typeof readResult>[0]): ReturnType<typeof readResult> =>
  readResult(result, context, 100)
const bytes = (count: number): string => Buffer.alloc(count).toString('base64')

test('several texts are one', async () => {
  const content = [
    { type: 'text', text: 'one' } as const,
    { type: 'text', text: 'two' } as const,
    { type: 'resource', resource: { uri: 'demo://a', text: 'three' } } as const,
  ]
  assert.equal(await read({ content }), 'one\ntwo\ndemo://a:\nthree')
})

test('data that is too big is left to the text, which is cut', async () => {
  const words = 'word '.repeat(40)
  const content = [{ type: 'text', text: words } as const]
  const result = await read({ content, structuredContent: { words } })
  assert.equal(result, `${words.slice(0, 100)}… (100 more characters were left out)`)
})

test('a file that may not be kept is told, and the call has not failed', async () => {
  const content = [
    { type: 'text', text: 'here' } as const,
    { type: 'audio', data: bytes(10), mimeType: 'audio/mpeg' } as const,
    { type: 'image', data: bytes(5000), mimeType: 'image/png' } as const,
    { type: 'image', data: bytes(1), mimeType: '../../etc/passwd' } as const,
  ]
  const said = JSON.stringify(await read({ content }))
  assert.match(said, /"text":"here"/)
  assert.match(said, /"mediaType":"audio\/mpeg","error":".*extension/)
  assert.match(said, /"mediaType":"image\/png","error":"an artifact may have 0.001 MB/)
  assert.match(said, /"mediaType":"..\/..\/etc\/passwd","error":/)
})

test('more files than anybody looks at are counted', async () => {
  const image = { type: 'image', data: bytes(1), mimeType: 'image/png' } as const
  const said = JSON.stringify(await read({ content: Array.from({ length: 20 }, () => image) }))
  assert.match(said, /\{"error":"4 more were left"\}/)
})

test('a failure without a word is one all the same', async () => {
  const isSilent = (error: unknown): boolean =>
    error instanceof ToolError && error.message === 'it did not say why'
  await assert.rejects(read({ content: [], isError: true }), isSilent)
})
