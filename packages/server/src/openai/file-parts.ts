import type { TurnFile } from '../agents/served-agent.ts'
import { unsupported, unusable } from './openai-problem.ts'

/** Base64 of a data URL, with any parameters before it. */
const DATA_URL = /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})(?:;[\w.+-]{1,40}=[^;,]{0,100})*;base64,/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * A file of a data URL.
 * @throws HttpProblem 400 for anything else: the server fetches no address that a client names
 */
export function fileOf(param: string, url: string, name: string | null): TurnFile {
  if (/^https?:/i.test(url)) {
    throw unsupported(param, 'files are not fetched from addresses; send a data: URL')
  }
  const [head, mediaType] = DATA_URL.exec(url) ?? []
  if (head === undefined || mediaType === undefined) {
    throw unusable(param, 'send the file as data:<media type>;base64,<data>')
  }
  return { name, mediaType: mediaType.toLowerCase(), data: base64(param, url.slice(head.length)) }
}

export const audioOf = (param: string, data: string, format: 'wav' | 'mp3'): TurnFile => ({
  name: null,
  mediaType: format === 'mp3' ? 'audio/mpeg' : 'audio/wav',
  data: base64(param, data),
})

function base64(param: string, data: string): string {
  if (data.length % 4 !== 0 || !BASE64.test(data)) throw unusable(param, 'the data is not base64')
  return data
}

export const noFileId = (param: string): Error =>
  unsupported(param, 'there are no stored files; send a data: URL as file_data')
