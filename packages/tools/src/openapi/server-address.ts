import { EchelonError, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/**
 * The only server that is called: `baseUrl`, or the first that the document names, with the
 * defaults of its variables.
 * @throws EchelonError INVALID_CONFIG for an invalid URL, or if operations name other servers
 */
export function serverOf(
  document: JsonObject,
  baseUrl: string | undefined,
  from: URL | undefined,
): URL {
  if (baseUrl !== undefined) return addressOf(baseUrl, 'baseUrl')
  const first = urlIn(document['servers'] ?? null)
  const server = addressOf(resolved(first ?? '/', from), 'the server of the document')
  for (const other of serversBelow(document['paths'] ?? null)) {
    const { origin } = addressOf(resolved(other, from), 'a server of an operation')
    if (origin !== server.origin) {
      throw invalidConfig(
        `the document sends operations to ${origin} and to ${server.origin}; give baseUrl`,
      )
    }
  }
  return server
}

/** Copies the document with that server for all operations. */
export function atServer(document: JsonObject, server: URL): JsonObject {
  const url = server.href.replace(/\/$/, '')
  const paths = Object.entries(objectOf(document['paths'])).map(([path, item]): [string, Json] => [
    path,
    withoutServers(item),
  ])
  return { ...document, servers: [{ url }], paths: Object.fromEntries(paths) }
}

function withoutServers(item: Json): Json {
  if (!isJsonObject(item)) return item
  const entries = Object.entries(item).filter(([key]) => key !== 'servers')
  return Object.fromEntries(
    entries.map(([key, part]): [string, Json] => {
      if (!isJsonObject(part)) return [key, part]
      const { servers: _, ...rest } = part
      return [key, rest]
    }),
  )
}

/** The servers of paths and operations. */
const serversBelow = (paths: Json): readonly string[] =>
  Object.values(objectOf(paths))
    .map(objectOf)
    .flatMap((item) => [item, ...Object.values(item).map(objectOf)])
    .flatMap(({ servers = null }) => urlIn(servers) ?? [])

/** The first of a list of servers, its variables filled in. */
function urlIn(servers: Json): string | undefined {
  const first = Array.isArray(servers) ? objectOf(servers[0]) : {}
  const { url, variables } = first
  if (typeof url !== 'string') return undefined
  return url.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const { default: value } = objectOf(objectOf(variables)[name])
    return typeof value === 'string' ? value : whole
  })
}

const objectOf = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}

const resolved = (url: string, from: URL | undefined): string =>
  URL.parse(url, from?.href)?.href ?? url

function addressOf(text: string, what: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidConfig(
      `${what} (${text}) is not an HTTP URL; give baseUrl, such as https://api.example.org/v1`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidConfig(`${what} holds a user name or password; give them as auth`)
  }
  url.search = ''
  url.hash = ''
  return url
}

const invalidConfig = (sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', sentence)
