import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { artifactFolder } from '../../echelon/src/platform/artifact-folder.ts'
import { ToolError } from '../../echelon/src/core/tool/tool.ts'
import { readResult } from './result.ts'

/** Skips measuring images. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

const folder = mkdtempSync(join(tmpdir(), 'echelon-mcp-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const context = { artifacts: artifactFolder({ folder, maxArtifactMb: 0.001 }, unmeasured) }
const read = (result: Parameters<typeof readResult>[0]): ReturnType<typeof readResult> =>
  readResult(result, context, 100)
const bytes = (count: number): string => Buffer.alloc(count).toString('base64')

test('several texts are joined', async () => {
  const content = [
    { type: 'text', text: 'one' } as const,
    { type: 'text', text: 'two' } as const,
    { type: 'resource', resource: { uri: 'demo://a', text: 'three' } } as const,
  ]
  assert.equal(await read({ content }), 'one\ntwo\ndemo://a:\nthree')
})

test('data that is too big is dropped, and the text is cut', async () => {
  const words = 'word '.repeat(40)
  const content = [{ type: 'text', text: words } as const]
  const result = await read({ content, structuredContent: { words } })
  assert.equal(result, `${words.slice(0, 100)}… (100 more characters omitted)`)
})

test('a refused file is reported, and the call does not fail', async () => {
  const content = [
    { type: 'text', text: 'here' } as const,
    { type: 'audio', data: bytes(10), mimeType: 'audio/mpeg' } as const,
    { type: 'image', data: bytes(5000), mimeType: 'image/png' } as const,
    { type: 'image', data: bytes(1), mimeType: '../../etc/passwd' } as const,
  ]
  const json = JSON.stringify(await read({ content }))
  assert.match(json, /"text":"here"/)
  assert.match(json, /"mediaType":"audio\/mpeg","error":".*extension/)
  assert.match(json, /"mediaType":"image\/png","error":"an artifact may have 0.001 MB/)
  assert.match(json, /"mediaType":"..\/..\/etc\/passwd","error":/)
})

test('files beyond the sixteenth are only counted', async () => {
  const image = { type: 'image', data: bytes(1), mimeType: 'image/png' } as const
  const json = JSON.stringify(await read({ content: Array.from({ length: 20 }, () => image) }))
  assert.match(json, /\{"error":"4 more omitted"\}/)
})

test('a failure without text is still an error', async () => {
  const hasNoReason = (error: unknown): boolean =>
    error instanceof ToolError && error.message === 'the server gave no reason'
  await assert.rejects(read({ content: [], isError: true }), hasNoReason)
})
