import { EchelonError, isJson } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import type { Clock } from 'echelon/runtime'
import { Link } from './link.ts'
import { type ListedTool, pages } from './listing.ts'
import type { McpOptions, McpState } from './options.ts'
import { remoteTool, type ToolSource } from './remote-tool.ts'
import { bounded } from './result.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { checkServer, type McpServer } from './server.ts'
import { toolNames } from './tool-names.ts'

/** A resource that a server offers. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** A prompt that a server offers. */
export interface McpPrompt {
  readonly name: string
  readonly description: string
  /** Names of its arguments. */
  readonly args: readonly string[]
}

/** A connection to a server. Close it: a program that it started keeps this process alive. */
export interface McpConnection extends AsyncDisposable {
  readonly name: string
  /** The current tools. Replaced by a new list when the server reports a change. */
  readonly tools: readonly Tool[]
  /**
   * Names, as the server has them, of tools that are not offered: the schema is too big, too deeply
   * nested or not an object, or all tools together exceed 500,000 characters.
   */
  readonly left: readonly string[]
  readonly state: McpState
  /** The resources of the server; empty if it has none. */
  resources(): Promise<readonly McpResource[]>
  /** The prompts of the server; empty if it has none. */
  prompts(): Promise<readonly McpPrompt[]>
  /**
   * Reconnects now. The user may be asked to sign in.
   * @throws EchelonError SERVER_UNREACHABLE
   */
  reconnect(): Promise<void>
  /** Ends the session and the program that the connection started. Calls in progress fail. */
  close(): Promise<void>
}

/**
 * Connects and lists the tools.
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
    connection.checkOnly()
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Limit for all descriptions and schemas of a server. Each model call sends and pays for them. */
const MAX_CHARACTERS = 500_000

/** Limit for the tool names in an error message. */
const MAX_LISTED_CHARACTERS = 2000

const lengthOf = ({ description, jsonSchema }: Tool): number =>
  description.length + JSON.stringify(jsonSchema).length

/**
 * The fields of a tool that are used. Omits an input schema that is nested too deeply to serialize.
 */
const usedFields = ({
  name,
  title,
  description,
  annotations,
  inputSchema,
}: ListedTool): unknown => {
  const input = isJson(inputSchema) ? inputSchema : null
  return { name, title, description, annotations, input }
}

class Connection implements McpConnection {
  readonly name: string
  readonly #source: ToolSource
  #tools: readonly Tool[] = []
  #left: readonly string[] = []
  #listed = ''
  #names: readonly string[] = []

  constructor(sdk: Sdk, server: McpServer, options: McpOptions & { readonly clock: Clock }) {
    this.name = server.name
    const link = new Link(sdk, server, options, (listed) => this.#update(listed))
    this.#source = { sdk, server: server.name, link, options }
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }
  get left(): readonly string[] {
    return this.#left
  }
  get state(): McpState {
    return this.#source.link.state
  }

  resources(): Promise<readonly McpResource[]> {
    return this.#source.link.request(async (client) => {
      if (client.getServerCapabilities()?.resources === undefined) return []
      const all = await pages(async (params) => {
        const { resources, nextCursor } = await client.listResources(params)
        return { items: resources, next: nextCursor }
      })
      return all.map(({ uri, name, description = '' }) => ({ uri, name, description }))
    })
  }

  prompts(): Promise<readonly McpPrompt[]> {
    return this.#source.link.request(async (client) => {
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
    return this.#source.link.connect()
  }

  close(): Promise<void> {
    return this.#source.link.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Checked once. A server may later remove a tool and add it again.
   * @throws EchelonError INVALID_DEFINITION if `only` names a tool that the server does not have
   */
  checkOnly(): void {
    const { only = [] } = this.#source.options
    const unknown = only.find((name) => !this.#names.includes(name))
    if (unknown === undefined) return
    const has =
      this.#names.length === 0 ? 'none' : bounded(this.#names.join(', '), MAX_LISTED_CHARACTERS)
    throw new EchelonError(
      'INVALID_DEFINITION',
      `only names ${unknown}, but the MCP server ${this.name} has no such tool; it has ${has}`,
      { details: { server: this.name } },
    )
  }

  /** Replaces the tools. An unchanged list keeps the same tool objects. */
  #update(listed: readonly ListedTool[]): void {
    const text = JSON.stringify(listed.map(usedFields))
    if (text === this.#listed) return
    const isFirst = this.#listed === ''
    this.#listed = text
    this.#names = listed.map(({ name }) => name)
    const { only, onTools } = this.#source.options
    const wanted = [...new Map(listed.map((one) => [one.name, one])).values()].filter(
      ({ name }) => only?.includes(name) !== false,
    )
    const names = toolNames(
      this.name,
      wanted.map(({ name }) => name),
    )
    let characters = 0
    const converted = wanted.map((one) => {
      const tool = remoteTool(one, names.get(one.name) ?? '', this.#source)
      characters += tool === undefined ? 0 : lengthOf(tool)
      return { one, tool: characters > MAX_CHARACTERS ? undefined : tool }
    })
    this.#tools = Object.freeze(converted.flatMap(({ tool }) => tool ?? []))
    this.#left = converted.filter(({ tool }) => tool === undefined).map(({ one }) => one.name)
    if (!isFirst) onTools?.()
  }
}
