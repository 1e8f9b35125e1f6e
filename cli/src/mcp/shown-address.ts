import { isSecret } from './secret-value.ts'

const HIDDEN = '[redacted]'

const QUERY = /([?&#;])([^=&#;]*)=([^&#;]*)/g

/** An address as people may see it: where it goes stays, and what looks like a secret in it does not. */
export const shownAddress = (url: string): string =>
  url
    .replace(/^(\w+:\/\/)[^/?#]*@/, `$1${HIDDEN}@`)
    .replaceAll(QUERY, (all, mark: string, name: string, value: string) =>
      isSecretPart(name, value) ? `${mark}${name}=${HIDDEN}` : all,
    )
    .replaceAll(/(?<=\/)[^/?#=]+/g, (part) => (isSecret('', part) ? HIDDEN : part))

/**
 * Whether an address would write a secret down. Where each is to stand, a `${NAME}` stands for one.
 */
export function holdsSecret(url: string): boolean {
  const written = url.replaceAll(/\$\{\w+\}/g, '')
  const [, user = ''] = /^\w+:\/\/([^/?#]*)@/.exec(written) ?? []
  return (
    user.replace(':', '') !== '' ||
    shownAddress(written.replace(`${user}@`, '')) !== written.replace(`${user}@`, '')
  )
}

/** Names of a query are often written as `%74oken`. A value that is empty hides nothing. */
const isSecretPart = (name: string, value: string): boolean =>
  value !== '' && isSecret(decoded(name), decoded(value))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
