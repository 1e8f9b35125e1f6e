import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from './sdk.ts'

export type ListedTool = Tool

/** Limits of what is requested from a server. */
const MAX_PAGES = 32
const MAX_ITEMS = 512

/** Lists the tools of a server. Avoids the SDK's `listTools`, which compiles the output schemas. */
export async function listTools(
  { types }: Sdk,
  client: Client,
  options: RequestOptions,
): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools = await pages(async (params) => {
    const page = await client.request(
      { method: 'tools/list', params },
      types.ListToolsResultSchema,
      options,
    )
    return { items: page.tools, next: page.nextCursor }
  })
  // A tool that runs only as a task returns a handle, which is experimental in the protocol.
  return tools.filter(({ execution }) => execution?.taskSupport !== 'required')
}

/** Reads all pages, up to 32 pages and 512 items. */
export async function pages<Item>(
  page: (params: {
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  let cursor: string | undefined
  for (let number = 0; number < MAX_PAGES && all.length < MAX_ITEMS; number++) {
    const { items, next } = await page(cursor === undefined ? {} : { cursor })
    all.push(...items)
    if (next === undefined) break
    cursor = next
  }
  return all.slice(0, MAX_ITEMS)
}
