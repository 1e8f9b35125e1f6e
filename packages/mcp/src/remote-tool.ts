import { randomUUID } from 'node:crypto'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from 'echelon/runtime'
import { defineTool, type Does } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import { toolError } from './failure.ts'
import { inputSchema } from './input-schema.ts'
import type { Link, ActiveCall } from './link.ts'
import type { ListedTool } from './listing.ts'
import type { McpOptions, McpToolRule, McpTrust } from './options.ts'
import { bounded, readResult } from './result.ts'
import type { Sdk } from './sdk.ts'

const MAX_DESCRIPTION_CHARACTERS = 2000
const MAX_RESULT_CHARACTERS = 50_000
const TIMEOUT_MS = 60_000
/** The longest timer. The runtime enforces the time limit, which pauses while the user is asked. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** Limit of progress events per call. Further progress is dropped. */
const MAX_PROGRESS = 1000

/** Shared by the tools of one server. */
export interface ToolSource {
  readonly sdk: Sdk
  readonly server: string
  readonly link: Link
  readonly options: McpOptions
}

/** Wraps a server's tool. Returns nothing if its schema cannot be sent to a model. */
export function remoteTool(listed: ListedTool, name: string, source: ToolSource): Tool | undefined {
  const { options, server } = source
  const input = inputSchema(listed.inputSchema)
  if (input === undefined) return undefined
  const rule = ruleOf(options, listed.name)
  const { does, needsApproval } = policyFor(listed.annotations, options.trust ?? 'reads', rule)
  const described = listed.description ?? listed.title ?? ''
  return defineTool({
    name,
    description: bounded(described, MAX_DESCRIPTION_CHARACTERS) || `${listed.name} of ${server}`,
    input,
    does,
    needsApproval,
    ...(options.trust !== 'everything' && { origin: `the MCP server ${server}` }),
    timeoutMs: rule.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS,
    retries: does === 'acts' ? 0 : 1,
    run: (args, context) => call(listed.name, args, context, source),
  })
}

const ruleOf = ({ rules }: McpOptions, tool: string): McpToolRule =>
  (rules !== undefined && Object.hasOwn(rules, tool) ? rules[tool] : undefined) ?? {}

/**
 * Decides what a tool does and whether it asks. Annotations are unchecked claims of the server: a
 * tool that is not declared read-only acts and asks, unless a rule says otherwise.
 */
export function policyFor(
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
  { sdk, server, link, options }: ToolSource,
): ReturnType<typeof readResult> {
  const token = randomUUID()
  const active: ActiveCall = { context, questions: 0, token, onProgress: progressOf(context) }
  link.calls.add(active)
  try {
    const result = await link.request((client) =>
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
    link.endCall(active, context.signal.aborted)
  }
}

const read = (
  result: CallToolResult,
  context: ToolContext,
  { maxResultCharacters = MAX_RESULT_CHARACTERS }: McpOptions,
): ReturnType<typeof readResult> => readResult(result, context, maxResultCharacters)

interface Meta {
  readonly [key: string]: string
  readonly progressToken: string
}

/** Passes the trace on to the server. */
const metaOf = ({ traceparent }: ToolContext, progressToken: string): Meta =>
  traceparent === undefined ? { progressToken } : { progressToken, traceparent }

function progressOf(context: ToolContext): ActiveCall['onProgress'] {
  let count = 0
  return ({ progress, total, message }) => {
    if (++count > MAX_PROGRESS) return
    context.progress({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: bounded(message, 500) }),
    })
  }
}
