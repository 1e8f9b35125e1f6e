import { isRecord } from '../../../core/value/json.ts'

/**
 * A message whose files that stand at an address have it as a `URL`, which is how models take it;
 * JSON holds it as text. What is no such message is left as it is.
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
