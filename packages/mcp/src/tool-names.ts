import { createHash } from 'node:crypto'

const LONGEST = 64

/**
 * What a server's tools are called here: valid, after their server, and no two the same. What does
 * not fit is cut, and told apart by a digest of the name that the server has for it, so that a name
 * does not depend on which other tools there are or in which order.
 */
export function toolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const plain = tools.map((tool) => `${server}_${tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`)
  return new Map(
    tools.map((tool, at) => {
      const name = plain[at] ?? ''
      const isOwn = name === `${server}_${tool}` || plain.indexOf(name) === plain.lastIndexOf(name)
      return [tool, isOwn && name.length <= LONGEST ? name : withDigest(name, tool)]
    }),
  )
}

function withDigest(name: string, tool: string): string {
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, LONGEST - digest.length - 1)}_${digest}`
}
