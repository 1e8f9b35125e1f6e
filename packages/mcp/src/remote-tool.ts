import { randomUUID } from 'node:crypto'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from 'echelon/runtime'
import { defineTool } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type { Does } from 'echelon/internal/tool'
import { toolError } from './failure.ts'
import { inputSchema } from './input-schema.ts'
import type { Link, UnderWay } from './link.ts'
import type { Listed } from './listing.ts'
import type { McpOptions, McpToolRule, McpTrust } from './options.ts'
import { bounded, readResult } from './result.ts'
import type { Sdk } from './sdk.ts'

const MOST_DESCRIPTION_CHARACTERS = 2000
const MOST_RESULT_CHARACTERS = 50_000
const TIMEOUT_MS = 60_000
/** What a timer can hold: the time limit is the runtime's, which stands still while the user is asked. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** More is not shown: each is an event of the run. */
const MOST_PROGRESS = 1000

/** What a tool of a server is made with. */
export interface Surroundings {
  readonly sdk: Sdk
  readonly server: string
  readonly link: Link
  readonly options: McpOptions
}

/** A tool of a server as one of ours; nothing for one whose schema cannot be handed to a model. */
export function remoteTool(listed: Listed, name: string, around: Surroundings): Tool | undefined {
  const { options, server } = around
  const input = inputSchema(listed.inputSchema)
  if (input === undefined) return undefined
  const rule = ruleOf(options, listed.name)
  const { does, needsApproval } = treatment(listed.annotations, options.trust ?? 'reads', rule)
  const described = listed.description ?? listed.title ?? ''
  return defineTool({
    name,
    description: bounded(described, MOST_DESCRIPTION_CHARACTERS) || `${listed.name} of ${server}`,
    input,
    does,
    needsApproval,
    ...(options.trust !== 'everything' && { origin: `the MCP server ${server}` }),
    timeoutMs: rule.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS,
    retries: does === 'acts' ? 0 : 1,
    run: (args, context) => call(listed.name, args, context, around),
  })
}

const ruleOf = ({ rules }: McpOptions, tool: string): McpToolRule =>
  (rules !== undefined && Object.hasOwn(rules, tool) ? rules[tool] : undefined) ?? {}

/**
 * What a tool does and whether it asks. The annotations are the server's word, which nobody has
 * checked: what they do not call read-only acts and asks, unless its user knows better.
 */
export function treatment(
  annotations: ToolAnnotations | undefined,
  trust: McpTrust,
  rule: McpToolRule,
): { readonly does: Does; readonly needsApproval: boolean } {
  const does = rule.does ?? (trust === 'nothing' ? 'acts' : declared(annotations))
  const asks = trust !== 'everything' && does !== 'reads'
  return { does, needsApproval: rule.needsApproval ?? asks }
}

function declared(annotations: ToolAnnotations | undefined): Does {
  if (annotations?.readOnlyHint === true) return 'reads'
  return annotations?.idempotentHint === true ? 'idempotent' : 'acts'
}

async function call(
  tool: string,
  args: JsonObject,
  context: ToolContext,
  { sdk, server, link, options }: Surroundings,
): ReturnType<typeof readResult> {
  const token = randomUUID()
  const underWay: UnderWay = { context, questions: 0, token, onProgress: progressOf(context) }
  link.calls.add(underWay)
  try {
    const result = await link.ask((client) =>
      client.request(
        {
          method: 'tools/call',
          params: { name: tool, arguments: args, _meta: metaOf(context, token) },
        },
        sdk.types.CallToolResultSchema,
        { signal: context.signal, timeout: NO_LIMIT_MS },
      ),
    )
    return await read(result, context, options)
  } catch (error) {
    throw toolError(sdk, error, { server, tool })
  } finally {
    link.leave(underWay, context.signal.aborted)
  }
}

const read = (
  result: CallToolResult,
  context: ToolContext,
  { maxResultCharacters = MOST_RESULT_CHARACTERS }: McpOptions,
): ReturnType<typeof readResult> => readResult(result, context, maxResultCharacters)

interface Meta {
  readonly [key: string]: string
  readonly progressToken: string
}

/** The trace goes on in the server. */
const metaOf = ({ traceparent }: ToolContext, progressToken: string): Meta =>
  traceparent === undefined ? { progressToken } : { progressToken, traceparent }

function progressOf(context: ToolContext): UnderWay['onProgress'] {
  let count = 0
  return ({ progress, total, message }) => {
    if (++count > MOST_PROGRESS) return
    context.progress({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: bounded(message, 500) }),
    })
  }
}
