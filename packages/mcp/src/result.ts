import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ToolContext } from 'echelon/chat'
import { ToolError } from 'echelon/internal/tool'

type Block = CallToolResult['content'][number]

/** Files of one result; more are counted and left. */
const MOST_FILES = 16
const MOST_LINKS = 64
/** Of an error: it is a sentence for the model. */
const MOST_ERROR_CHARACTERS = 2000

/**
 * What a server answered, as the model gets it: text alone as text, data alone as data, and of
 * several an object with `text`, `data`, `files` and `links`. Images, sound and other bytes become
 * artifacts of the run.
 * @param most characters of text, and of data as JSON
 * @throws ToolError TOOL_ERROR when the server says that the call failed
 */
export async function readResult(
  result: CallToolResult,
  { artifacts }: Pick<ToolContext, 'artifacts'>,
  most: number,
): Promise<Json> {
  const text = bounded(textOf(result.content), most)
  if (result.isError === true) {
    throw new ToolError('TOOL_ERROR', bounded(text, MOST_ERROR_CHARACTERS) || 'it did not say why')
  }
  const data = dataOf(result.structuredContent, most)
  const files = await keepFiles(result.content, artifacts)
  const links = linksOf(result.content)
  // A server that answers with data says the same as text, for those who do not read data.
  const isRepeated = data !== undefined && files.length === 0 && links.length === 0
  if (isRepeated) return data
  if (data === undefined && files.length === 0 && links.length === 0) return text
  return {
    ...(text !== '' && { text }),
    ...(data !== undefined && { data }),
    ...(files.length > 0 && { files }),
    ...(links.length > 0 && { links }),
  }
}

/** A text, cut where it is too long, with a word on what is missing. */
export function bounded(text: string, most: number): string {
  const more = text.length - most
  return more > 0 ? `${text.slice(0, most)}… (${more} more characters were left out)` : text
}

function textOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block) => {
    if (block.type === 'text') return block.text
    if (block.type !== 'resource' || !('text' in block.resource)) return ''
    return `${block.resource.uri}:\n${block.resource.text}`
  })
  return texts.filter((text) => text !== '').join('\n')
}

/** Data that is too big is left to the text, which can be cut. */
function dataOf(content: unknown, most: number): JsonObject | undefined {
  if (content === undefined || !isJson(content) || !isJsonObject(content)) return undefined
  return JSON.stringify(content).length > most ? undefined : content
}

const linksOf = (blocks: readonly Block[]): readonly JsonObject[] =>
  blocks
    .filter((block) => block.type === 'resource_link')
    .slice(0, MOST_LINKS)
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
  for (const file of all.slice(0, MOST_FILES)) kept.push(await keep(file, artifacts))
  if (all.length > kept.length) kept.push({ error: `${all.length - kept.length} more were left` })
  return kept
}

/** A file that may not be kept is no failure of the call, which has been made. */
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

/** The media type is the server's word: which files may be kept, the artifacts folder decides. */
const extensionOf = (mediaType: string): string =>
  EXTENSIONS[mediaType] ?? /\/([a-z0-9]{1,8})$/.exec(mediaType)?.[1] ?? 'bin'
