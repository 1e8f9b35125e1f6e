import { EchelonError } from 'echelon/internal/value'
import { isJson } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import type { Clock } from 'echelon/runtime'
import { Link } from './link.ts'
import { type Listed, pages } from './listing.ts'
import type { McpOptions, McpState } from './options.ts'
import { remoteTool, type Surroundings } from './remote-tool.ts'
import { bounded } from './result.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { checkServer, type McpServer } from './server.ts'
import { toolNames } from './tool-names.ts'

/** Something to read that a server offers. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** A prompt that a server offers. */
export interface McpPrompt {
  readonly name: string
  readonly description: string
  /** Names of what it takes. */
  readonly args: readonly string[]
}

/** A server that is connected. It must be closed, or a program that it runs keeps this one alive. */
export interface McpConnection extends AsyncDisposable {
  readonly name: string
  /** The tools of now: another list once the server says that they changed. */
  readonly tools: readonly Tool[]
  /**
   * Tools that are not handed on, by the server's names: their schemas are too big, nested too
   * deeply or no objects, or
   * all of them together are more than a model should read.
   */
  readonly left: readonly string[]
  readonly state: McpState
  /** What the server offers to read; empty where it offers nothing. */
  resources(): Promise<readonly McpResource[]>
  /** The prompts that it offers; empty where it offers none. */
  prompts(): Promise<readonly McpPrompt[]>
  /**
   * Connects anew, now; the user may be asked to sign in.
   * @throws EchelonError SERVER_UNREACHABLE
   */
  reconnect(): Promise<void>
  /** Ends the session, and the program if it is one. What is under way fails. */
  close(): Promise<void>
}

/**
 * Connects and lists.
 * @throws EchelonError INVALID_DEFINITION, SERVER_UNREACHABLE
 */
export async function connect(
  server: McpServer,
  options: McpOptions & { readonly clock: Clock },
): Promise<McpConnection> {
  checkServer(server)
  const sdk = await loadSdk()
  const connection = new Connection(sdk, server, options)
  try {
    await connection.reconnect()
    connection.assertWanted()
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Of all descriptions and schemas of a server: each model call sends them, and costs accordingly. */
const MOST_CHARACTERS = 500_000

/** Characters of an error that lists what a server has. */
const MOST_LISTED = 2000

const lengthOf = ({ description, jsonSchema }: Tool): number =>
  description.length + JSON.stringify(jsonSchema).length

/** What is used of a tool; what is nested without end, which nobody could write out, is not. */
const factsOf = ({ name, title, description, annotations, inputSchema }: Listed): unknown => {
  const input = isJson(inputSchema) ? inputSchema : null
  return { name, title, description, annotations, input }
}

class Connection implements McpConnection {
  readonly name: string
  readonly #around: Surroundings
  #tools: readonly Tool[] = []
  #left: readonly string[] = []
  #listed = ''
  #names: readonly string[] = []

  constructor(sdk: Sdk, server: McpServer, options: McpOptions & { readonly clock: Clock }) {
    this.name = server.name
    const link = new Link(sdk, server, options, (listed) => this.#have(listed))
    this.#around = { sdk, server: server.name, link, options }
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }
  get left(): readonly string[] {
    return this.#left
  }
  get state(): McpState {
    return this.#around.link.state
  }

  resources(): Promise<readonly McpResource[]> {
    return this.#around.link.ask(async (client) => {
      if (client.getServerCapabilities()?.resources === undefined) return []
      const all = await pages(async (params) => {
        const { resources, nextCursor } = await client.listResources(params)
        return { items: resources, next: nextCursor }
      })
      return all.map(({ uri, name, description = '' }) => ({ uri, name, description }))
    })
  }

  prompts(): Promise<readonly McpPrompt[]> {
    return this.#around.link.ask(async (client) => {
      if (client.getServerCapabilities()?.prompts === undefined) return []
      const all = await pages(async (params) => {
        const { prompts, nextCursor } = await client.listPrompts(params)
        return { items: prompts, next: nextCursor }
      })
      return all.map((prompt) => ({
        name: prompt.name,
        description: prompt.description ?? '',
        args: (prompt.arguments ?? []).map(({ name }) => name),
      }))
    })
  }

  reconnect(): Promise<void> {
    return this.#around.link.connect()
  }

  close(): Promise<void> {
    return this.#around.link.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Later a server may take a tool away, and give it back: then the others are what there is.
   * @throws EchelonError INVALID_DEFINITION for an `only` that names what there is not
   */
  assertWanted(): void {
    const { only = [] } = this.#around.options
    const unknown = only.find((name) => !this.#names.includes(name))
    if (unknown === undefined) return
    const has = this.#names.length === 0 ? 'none' : bounded(this.#names.join(', '), MOST_LISTED)
    throw new EchelonError(
      'INVALID_DEFINITION',
      `only names ${unknown}, and the MCP server ${this.name} has no such tool; it has ${has}`,
      { details: { server: this.name } },
    )
  }

  /** The same list again makes no new tools: whoever holds one goes on with it. */
  #have(listed: readonly Listed[]): void {
    const text = JSON.stringify(listed.map(factsOf))
    if (text === this.#listed) return
    const isFirst = this.#listed === ''
    this.#listed = text
    this.#names = listed.map(({ name }) => name)
    const { only, onTools } = this.#around.options
    const wanted = [...new Map(listed.map((one) => [one.name, one])).values()].filter(
      ({ name }) => only?.includes(name) !== false,
    )
    const names = toolNames(
      this.name,
      wanted.map(({ name }) => name),
    )
    let characters = 0
    const made = wanted.map((one) => {
      const tool = remoteTool(one, names.get(one.name) ?? '', this.#around)
      characters += tool === undefined ? 0 : lengthOf(tool)
      return { one, tool: characters > MOST_CHARACTERS ? undefined : tool }
    })
    this.#tools = Object.freeze(made.flatMap(({ tool }) => tool ?? []))
    this.#left = made.filter(({ tool }) => tool === undefined).map(({ one }) => one.name)
    if (!isFirst) onTools?.()
  }
}
