import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'

/** Media types that may be sent to a browser; everything else is a plain download. */
const SAFE_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'application/json',
  'text/plain',
  'text/csv',
])

/** The files of a run. A name that is not in the index of the run is not there. */
export function artifactRoutes(api: Api, { hub, store }: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/artifacts/{name}',
    tag: 'Runs',
    summary: 'Download a file of a run',
    query: none,
    body: none,
    answers: { 200: 'application/octet-stream' },
    errors: [404],
    async handle(c) {
      const id = c.req.param('id') ?? ''
      const name = c.req.param('name') ?? ''
      await hub.find(id, c.get('principal'))
      const artifact = (await store.artifacts.of(id)).findLast((one) => one.name === name)
      const size = artifact === undefined ? undefined : await sizeOf(artifact.path)
      if (artifact === undefined || size === undefined) throw notFound(`file ${name} of this run`)
      const isSafe = SAFE_TYPES.has(artifact.mediaType)
      return new Response(bytesOf(artifact.path), {
        headers: {
          'content-type': isSafe ? artifact.mediaType : 'application/octet-stream',
          'content-length': String(size),
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(artifact.name)}`,
          'content-security-policy': "default-src 'none'; sandbox",
        },
      })
    },
  })
}

const bytesOf = (path: string): ReadableStream<Uint8Array> =>
  Readable.toWeb(createReadStream(path), { strategy: { highWaterMark: 1 } })

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const facts = await stat(path)
    return facts.isFile() ? facts.size : undefined
  } catch {
    return undefined
  }
}
