import { isSecret } from './secret-value.ts'

const HIDDEN = '[redacted]'

const QUERY = /([?&#;])([^=&#;]*)=([^&#;]*)/g

/** A URL to show: the target stays, parts that look like secrets are hidden. */
export const shownAddress = (url: string): string =>
  url
    .replace(/^(\w+:\/\/)[^/?#]*@/, `$1${HIDDEN}@`)
    .replaceAll(QUERY, (all, mark: string, name: string, value: string) =>
      isSecretPart(name, value) ? `${mark}${name}=${HIDDEN}` : all,
    )
    .replaceAll(/(?<=\/)[^/?#=]+/g, (part) => (isSecret('', part) ? HIDDEN : part))

/**
 * Whether a URL holds a secret in plain text. `${NAME}` may stand in place of one.
 */
export function holdsSecret(url: string): boolean {
  const written = url.replaceAll(/\$\{\w+\}/g, '')
  const [, user = ''] = /^\w+:\/\/([^/?#]*)@/.exec(written) ?? []
  return (
    user.replace(':', '') !== '' ||
    shownAddress(written.replace(`${user}@`, '')) !== written.replace(`${user}@`, '')
  )
}

/** Names are decoded, since `%74oken` means token. An empty value is not a secret. */
const isSecretPart = (name: string, value: string): boolean =>
  value !== '' && isSecret(decoded(name), decoded(value))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
