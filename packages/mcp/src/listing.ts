import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from './sdk.ts'

/** A tool as its server lists it. */
export type Listed = Tool

/** What a server lists beyond this is not asked for. */
const MOST_PAGES = 32
const MOST_ITEMS = 512

/** The tools of a server. Not by `listTools`, which compiles schemas of the server's answers. */
export async function listTools(
  { types }: Sdk,
  client: Client,
  options: RequestOptions,
): Promise<readonly Listed[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools = await pages(async (params) => {
    const page = await client.request(
      { method: 'tools/list', params },
      types.ListToolsResultSchema,
      options,
    )
    return { items: page.tools, next: page.nextCursor }
  })
  // A tool that runs as a task answers with a handle, which is experimental in the protocol.
  return tools.filter(({ execution }) => execution?.taskSupport !== 'required')
}

/** What is listed in pages, as far as it is bearable. */
export async function pages<Item>(
  page: (params: {
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  let cursor: string | undefined
  for (let number = 0; number < MOST_PAGES && all.length < MOST_ITEMS; number++) {
    const { items, next } = await page(cursor === undefined ? {} : { cursor })
    all.push(...items)
    if (next === undefined) break
    cursor = next
  }
  return all.slice(0, MOST_ITEMS)
}
