import type { TurnFile } from '../agents/served-agent.ts'

/** Base64 of a data URL, with any parameters before it. */
const DATA_URL = /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})(?:;[\w.+-]{1,40}=[^;,]{0,100})*;base64,/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A file of a data URL, or what is wrong with it. The server fetches no address that a client names. */
export function fileOfDataUrl(url: string, name: string | null): TurnFile | string {
  if (/^https?:/i.test(url)) return 'files are not fetched from addresses; send a data: URL'
  const [head, mediaType] = DATA_URL.exec(url) ?? []
  if (head === undefined || mediaType === undefined) {
    return 'send the file as data:<media type>;base64,<data>'
  }
  const data = url.slice(head.length)
  return isBase64(data) ? { name, mediaType: mediaType.toLowerCase(), data } : NOT_BASE64
}

export const isBase64 = (data: string): boolean => data.length % 4 === 0 && BASE64.test(data)

export const NOT_BASE64 = 'the data of the file is not base64'
