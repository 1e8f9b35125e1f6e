import type { TurnFile } from '../agents/served-agent.ts'
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { HttpProblem } from './problem.ts'

/** A file that a client sends as an address, which is not fetched yet. */
export interface RemoteFile {
  readonly name: string | null
  readonly url: string
}

/** A file as a client sends it. */
export type SentFile = TurnFile | RemoteFile

/** Base64 of a data URL, with any parameters before it. */
const DATA_URL = /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})(?:;[\w.+-]{1,40}=[^;,]{0,100})*;base64,/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const LONGEST_ADDRESS = 2000
const MOST_FETCHED = 8
const UNKNOWN = 'application/octet-stream'

/** A file of a URL, or what is wrong with it. */
export function sentFile(url: string, name: string | null): SentFile | string {
  if (/^https?:/i.test(url)) {
    return url.length > LONGEST_ADDRESS ? 'the address of the file is too long' : { name, url }
  }
  const [head, mediaType] = DATA_URL.exec(url) ?? []
  if (head === undefined || mediaType === undefined) {
    return 'send the file as data:<media type>;base64,<data>, or as a public http(s) address'
  }
  const data = url.slice(head.length)
  return isBase64(data) ? { name, mediaType: mediaType.toLowerCase(), data } : NOT_BASE64
}

export const isBase64 = (data: string): boolean => data.length % 4 === 0 && BASE64.test(data)

export const NOT_BASE64 = 'the data of the file is not base64'

/**
 * The files themselves. Addresses that are not public are not reached.
 * @throws HttpProblem 400
 */
export async function fetchedFiles(
  files: readonly SentFile[],
  options: GuardedFetchOptions = {},
): Promise<readonly TurnFile[]> {
  const remote = files.filter((file) => 'url' in file)
  if (remote.length > MOST_FETCHED) {
    throw new HttpProblem(400, 'too_many_files', `at most ${MOST_FETCHED} files are fetched`)
  }
  return Promise.all(files.map(async (file) => ('url' in file ? fetchedFile(file, options) : file)))
}

async function fetchedFile(
  { name, url }: RemoteFile,
  options: GuardedFetchOptions,
): Promise<TurnFile> {
  const { status, mediaType, body } = await guardedFetch(url, options)
  if (status !== 200) {
    throw new HttpProblem(400, 'file_missing', `a file answered with status ${status}`)
  }
  const type = mediaType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return {
    name,
    mediaType: type === '' ? UNKNOWN : type,
    data: Buffer.from(body).toString('base64'),
  }
}
