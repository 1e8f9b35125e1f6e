import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import type { Principal } from '../access/principal.ts'
import { notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'

/** A file of a run, for users who may see the run. @throws HttpProblem 404 */
export async function fileResponse(
  { hub, store }: ServerContext,
  { run, name }: { readonly run: string; readonly name: string },
  principal: Principal,
): Promise<Response> {
  await hub.find(run, principal)
  const files = await store.artifacts.of(run)
  const file = files.find((one) => one.name === name)
  const content = file && (await readFile(file.path).catch(() => undefined))
  // A file of the same name that another run wrote later is not this one.
  const isSame =
    content !== undefined && createHash('sha256').update(content).digest('hex') === file?.sha256
  if (file === undefined || content === undefined || !isSame) throw notFound(`file ${name}`)
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': file.mediaType,
      'content-length': String(content.length),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
}
