import { createHash } from 'node:crypto'

const MAX_LENGTH = 64

/**
 * Names the tools of a server: the server's name as prefix, valid and unique. A name that had to be
 * changed or cut gets a digest of the original, so that it does not depend on the other tools or
 * their order.
 */
export function toolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const plain = tools.map((tool) => `${server}_${tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`)
  return new Map(
    tools.map((tool, at) => {
      const name = plain[at] ?? ''
      const isUnique =
        name === `${server}_${tool}` || plain.indexOf(name) === plain.lastIndexOf(name)
      return [tool, isUnique && name.length <= MAX_LENGTH ? name : withDigest(name, tool)]
    }),
  )
}

function withDigest(name: string, tool: string): string {
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, MAX_LENGTH - digest.length - 1)}_${digest}`
}
