import type { TurnFile } from '../agents/served-agent.ts'
import { isBase64, NOT_BASE64, type SentFile, sentFile } from '../http/sent-file.ts'
import { unsupported, unusable } from './openai-problem.ts'

/** A file of a URL. @throws HttpProblem 400 for anything else */
export function fileOf(param: string, url: string, name: string | null): SentFile {
  const file = sentFile(url, name)
  if (typeof file === 'string') throw unusable(param, file)
  return file
}

/** @throws HttpProblem 400 */
export function audioOf(param: string, data: string, format: 'wav' | 'mp3'): TurnFile {
  if (!isBase64(data)) throw unusable(param, NOT_BASE64)
  return { name: null, mediaType: format === 'mp3' ? 'audio/mpeg' : 'audio/wav', data }
}

export const noFileId = (param: string): Error =>
  unsupported(param, 'there are no stored files; send a data: URL as file_data')
