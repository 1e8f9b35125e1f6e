import assert from 'node:assert/strict'
import { type AGUIEvent, EventType } from '@ag-ui/core'
import { EventSchema } from '@ag-ui/core/schemas'
import fastJsonPatch from 'fast-json-patch'

type EventOf<Type extends EventType> = Extract<AGUIEvent, { type: Type }>

export interface StreamFacts {
  readonly threadId: string
  readonly runId: string
  /** Whether the client of the stream knows AG-UI 1.0. */
  readonly knows1?: boolean
  /** Names of the tools that the client executes. */
  readonly clientTools?: readonly string[]
}

const isEvent = (value: unknown): value is AGUIEvent => EventSchema.safeParse(value).success

/** An event as a client got it. */
export function eventIn(value: unknown): AGUIEvent {
  assert.ok(isEvent(value), JSON.stringify(value))
  return value
}

/** The result of a stream, for the assertions of a test. */
export interface StreamEnd {
  readonly last: EventOf<EventType.RUN_FINISHED> | EventOf<EventType.RUN_ERROR>
  /** The state after all patches. */
  readonly state: unknown
  readonly text: string
}

/**
 * Checks the streams of one thread, in order, for all that a client of AG-UI does not notice itself: a missing
 * end, foreign ids, results without a call, empty deltas, patches that don't apply, fields that it can't know.
 */
export class AgUiOracle {
  readonly #messages = new Set<string>()
  /** Calls of the thread that have no result. */
  readonly #open = new Map<string, string>()
  readonly #results = new Set<string>()

  check(events: readonly AGUIEvent[], facts: StreamFacts): StreamEnd {
    for (const event of events) {
      const parsed = EventSchema.safeParse(event)
      assert.ok(parsed.success, `${JSON.stringify(event)}: ${parsed.error?.message}`)
      assert.deepEqual(JSON.parse(JSON.stringify(event)), event)
    }
    const [first, second] = events
    assert.equal(first?.type, EventType.RUN_STARTED)
    assert.equal(second?.type, EventType.STATE_SNAPSHOT)
    const last = events.at(-1)
    assert.ok(last?.type === EventType.RUN_FINISHED || last?.type === EventType.RUN_ERROR)
    for (const event of events.slice(1, -1)) {
      assert.ok(
        event.type !== EventType.RUN_STARTED &&
          event.type !== EventType.RUN_FINISHED &&
          event.type !== EventType.RUN_ERROR,
        `${event.type} inside of a stream`,
      )
    }
    this.#checkIds(events, facts)
    this.#checkBlocks(events)
    this.#checkWork(events)
    this.#checkTools(events)
    const state = checkState(events)
    if (facts.knows1 === false) checkOld(events)
    if (last.type === EventType.RUN_FINISHED) this.#checkEnd(last, facts)
    const text = events
      .map((event) => (event.type === EventType.TEXT_MESSAGE_CONTENT ? event.delta : ''))
      .join('')
    return { last, state, text }
  }

  /** Ids of the calls of these tools that have no result. */
  open(tools: readonly string[]): readonly string[] {
    return [...this.#open].filter(([, tool]) => tools.includes(tool)).map(([id]) => id)
  }

  /** A result that the client gave. */
  answered(toolCallId: string): void {
    assert.ok(this.#open.delete(toolCallId), `the client answered ${toolCallId}, which is not open`)
  }

  #checkIds(events: readonly AGUIEvent[], { threadId, runId }: StreamFacts): void {
    for (const event of events) {
      if (event.type !== EventType.RUN_STARTED && event.type !== EventType.RUN_FINISHED) continue
      assert.deepEqual([event.threadId, event.runId], [threadId, runId])
    }
  }

  #checkBlocks(events: readonly AGUIEvent[]): void {
    const open = new Set<string>()
    const filled = new Set<string>()
    for (const event of events) {
      if (
        event.type === EventType.TEXT_MESSAGE_START ||
        event.type === EventType.REASONING_MESSAGE_START
      ) {
        assert.ok(!this.#messages.has(event.messageId), `message ${event.messageId} twice`)
        this.#messages.add(event.messageId)
        assert.equal(open.size, 0, 'a message begins inside of another')
        open.add(event.messageId)
      } else if (
        event.type === EventType.TEXT_MESSAGE_CONTENT ||
        event.type === EventType.REASONING_MESSAGE_CONTENT
      ) {
        assert.ok(open.has(event.messageId))
        assert.notEqual(event.delta, '')
        filled.add(event.messageId)
      } else if (
        event.type === EventType.TEXT_MESSAGE_END ||
        event.type === EventType.REASONING_MESSAGE_END
      ) {
        assert.ok(open.delete(event.messageId))
        assert.ok(filled.has(event.messageId), `message ${event.messageId} is empty`)
      }
    }
    assert.deepEqual([...open], [])
  }

  #checkWork(events: readonly AGUIEvent[]): void {
    const steps = new Set<string>()
    const agents = new Set<string>()
    const known = new Set<string>()
    for (const event of events) {
      const owner = 'subagentRunId' in event ? (event.subagentRunId ?? '') : ''
      if (event.type === EventType.SUBAGENT_STARTED) {
        assert.ok(!known.has(owner), `sub-agent ${owner} twice`)
        if (event.parentSubagentRunId) assert.ok(agents.has(event.parentSubagentRunId))
        known.add(owner)
        agents.add(owner)
      } else if (
        event.type === EventType.SUBAGENT_FINISHED ||
        event.type === EventType.SUBAGENT_ERROR
      ) {
        assert.ok(agents.delete(owner))
      } else if (event.type === EventType.STEP_STARTED) {
        assert.ok(!steps.has(`${owner} ${event.stepName}`))
        assert.ok(owner === '' || agents.has(owner), 'a step of an unknown sub-agent')
        steps.add(`${owner} ${event.stepName}`)
      } else if (event.type === EventType.STEP_FINISHED) {
        assert.ok(steps.delete(`${owner} ${event.stepName}`))
      }
    }
    assert.deepEqual([...steps, ...agents], [])
  }

  #checkTools(events: readonly AGUIEvent[]): void {
    const writing = new Map<string, string>()
    for (const event of events) {
      if (event.type === EventType.TOOL_CALL_START) {
        assert.ok(!this.#open.has(event.toolCallId) && !this.#results.has(event.toolCallId))
        this.#open.set(event.toolCallId, event.toolCallName)
        writing.set(event.toolCallId, '')
      } else if (event.type === EventType.TOOL_CALL_ARGS) {
        assert.notEqual(event.delta, '')
        assert.ok(writing.has(event.toolCallId))
        writing.set(event.toolCallId, writing.get(event.toolCallId) + event.delta)
      } else if (event.type === EventType.TOOL_CALL_END) {
        const args = writing.get(event.toolCallId)
        assert.ok(args !== undefined)
        assert.equal(typeof JSON.parse(args), 'object')
        writing.delete(event.toolCallId)
      } else if (event.type === EventType.TOOL_CALL_RESULT) {
        assert.ok(
          this.#open.delete(event.toolCallId),
          `a result without a call: ${event.toolCallId}`,
        )
        this.#results.add(event.toolCallId)
      }
    }
    assert.deepEqual([...writing], [])
  }

  #checkEnd(
    { outcome }: EventOf<EventType.RUN_FINISHED>,
    { knows1 = true, clientTools = [] }: StreamFacts,
  ): void {
    if (outcome?.type === 'success' && outcome.pendingToolCallIds !== undefined) {
      assert.deepEqual(outcome.pendingToolCallIds, this.open(clientTools))
      assert.notEqual(outcome.pendingToolCallIds.length, 0)
    } else if (outcome?.type === 'success' && knows1) {
      assert.deepEqual([...this.#open], [], 'calls without a result at the end')
    }
    if (outcome?.type !== 'interrupt') return
    for (const { toolCallId } of outcome.interrupts) {
      if (toolCallId !== undefined) assert.ok(this.#open.has(toolCallId))
    }
  }
}

function checkState(events: readonly AGUIEvent[]): unknown {
  let state: unknown
  for (const event of events) {
    if (event.type === EventType.STATE_SNAPSHOT) {
      assert.equal(state, undefined, 'two snapshots')
      state = structuredClone(event.snapshot)
    } else if (event.type === EventType.STATE_DELTA) {
      assert.ok(event.delta.length > 0, 'an empty patch')
      const before = structuredClone(state)
      state = fastJsonPatch.applyPatch(state, structuredClone(event.delta), true).newDocument
      assert.notDeepEqual(state, before, 'a patch without a change')
    }
  }
  return state
}

function checkOld(events: readonly AGUIEvent[]): void {
  for (const event of events) {
    if (event.type === EventType.RUN_STARTED) assert.ok(!('protocolVersion' in event))
    if (event.type !== EventType.RUN_FINISHED) continue
    assert.ok(event.outcome?.type !== 'cancelled')
    assert.ok(!(event.outcome && 'pendingToolCallIds' in event.outcome))
  }
}
