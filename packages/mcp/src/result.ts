import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ToolContext } from 'echelon/chat'
import { ToolError } from 'echelon/internal/tool'

type Block = CallToolResult['content'][number]

/** Files kept of one result. Further files are only counted. */
const MAX_FILES = 16
const MAX_LINKS = 64
/** The model reads an error as one sentence. */
const MAX_ERROR_CHARACTERS = 2000

/**
 * Converts a server's result for the model: text alone to text, data alone to data, several to an
 * object with `text`, `data`, `files` and `links`. Images, sound and other bytes become artifacts
 * of the run.
 * @param max characters of text, and of data as JSON
 * @throws ToolError TOOL_ERROR when the server reports that the call failed
 */
export async function readResult(
  result: CallToolResult,
  { artifacts }: Pick<ToolContext, 'artifacts'>,
  max: number,
): Promise<Json> {
  const text = bounded(textOf(result.content), max)
  if (result.isError === true) {
    throw new ToolError(
      'TOOL_ERROR',
      bounded(text, MAX_ERROR_CHARACTERS) || 'the server gave no reason',
    )
  }
  const data = dataOf(result.structuredContent, max)
  const files = await keepFiles(result.content, artifacts)
  const links = linksOf(result.content)
  // Servers that return data repeat it as text, for clients that do not read data.
  const isDataOnly = data !== undefined && files.length === 0 && links.length === 0
  if (isDataOnly) return data
  if (data === undefined && files.length === 0 && links.length === 0) return text
  return {
    ...(text !== '' && { text }),
    ...(data !== undefined && { data }),
    ...(files.length > 0 && { files }),
    ...(links.length > 0 && { links }),
  }
}

/** Cuts a text that is too long and appends how many characters are missing. */
export function bounded(text: string, max: number): string {
  const more = text.length - max
  return more > 0 ? `${text.slice(0, max)}… (${more} more characters omitted)` : text
}

function textOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block) => {
    if (block.type === 'text') return block.text
    if (block.type !== 'resource' || !('text' in block.resource)) return ''
    return `${block.resource.uri}:\n${block.resource.text}`
  })
  return texts.filter((text) => text !== '').join('\n')
}

/** Drops data that is too big; the text repeats it and can be cut. */
function dataOf(content: unknown, max: number): JsonObject | undefined {
  if (content === undefined || !isJson(content) || !isJsonObject(content)) return undefined
  return JSON.stringify(content).length > max ? undefined : content
}

const linksOf = (blocks: readonly Block[]): readonly JsonObject[] =>
  blocks
    .filter((block) => block.type === 'resource_link')
    .slice(0, MAX_LINKS)
    .map(({ uri, name, mimeType }) => ({ uri, name, ...(mimeType !== undefined && { mimeType }) }))

interface Bytes {
  readonly base64: string
  readonly mediaType: string
}

function bytesOf(block: Block): readonly Bytes[] {
  switch (block.type) {
    case 'image':
    case 'audio':
      return [{ base64: block.data, mediaType: block.mimeType }]
    case 'resource': {
      if (!('blob' in block.resource)) return []
      const { blob, mimeType = 'application/octet-stream' } = block.resource
      return [{ base64: blob, mediaType: mimeType }]
    }
    case 'text':
    case 'resource_link':
      return []
  }
}

async function keepFiles(
  blocks: readonly Block[],
  artifacts: ToolContext['artifacts'],
): Promise<readonly JsonObject[]> {
  const all = blocks.flatMap(bytesOf)
  const kept: JsonObject[] = []
  for (const file of all.slice(0, MAX_FILES)) kept.push(await keep(file, artifacts))
  if (all.length > kept.length) kept.push({ error: `${all.length - kept.length} more omitted` })
  return kept
}

/**
 * Keeps a file as an artifact. A refused file is reported in its place, since the call itself has
 * succeeded.
 */
async function keep(
  { base64, mediaType }: Bytes,
  artifacts: ToolContext['artifacts'],
): Promise<JsonObject> {
  try {
    const content = Buffer.from(base64, 'base64')
    const artifact = await artifacts.write(`mcp.${extensionOf(mediaType)}`, content)
    return { file: artifact.name, mediaType: artifact.mediaType, bytes: artifact.bytes }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { mediaType: bounded(mediaType, 100), error: error.message }
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
}

/**
 * Derived from the server's unchecked media type. The artifacts folder decides which extensions it
 * keeps.
 */
const extensionOf = (mediaType: string): string =>
  EXTENSIONS[mediaType] ?? /\/([a-z0-9]{1,8})$/.exec(mediaType)?.[1] ?? 'bin'
