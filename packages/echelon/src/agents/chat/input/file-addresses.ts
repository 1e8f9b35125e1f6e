import { isRecord } from '../../../core/value/json.ts'

/**
 * Turns the addresses of a message's files into `URL` objects, which models take; JSON holds them as
 * text. Other values are returned unchanged.
 */
export function withAddresses(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { content } = message
  if (!Array.isArray(content) || !content.some(hasAddress)) return message
  return { ...message, content: content.map(withAddress) }
}

const hasAddress = (part: unknown): boolean => addressOf(part) !== undefined

function addressOf(part: unknown): URL | undefined {
  if (!isRecord(part) || !isRecord(part['data'])) return undefined
  const { type, url } = part['data']
  return type === 'url' && typeof url === 'string' ? (URL.parse(url) ?? undefined) : undefined
}

function withAddress(part: unknown): unknown {
  const url = addressOf(part)
  return url === undefined || !isRecord(part) ? part : { ...part, data: { type: 'url', url } }
}
