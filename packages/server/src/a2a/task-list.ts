import {
  type ListTasksRequest,
  type ListTasksResponse,
  TaskState,
  taskStateToJSON,
} from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import type { RunSummary } from 'echelon/internal/store'
import type { TaskDesk } from './task-desk.ts'
import { stateAtEnd } from './turn-to-task.ts'
import { turnEndOf, type TaskRecord } from './task-record.ts'

const PAGE = 50
const MOST_PAGE = 100
/** Runs that are looked at. */
const MOST_RUNS = 2000

interface Found {
  readonly id: string
  readonly changedAt: number
}

/** The user's tasks of an agent, the last changed first. */
export async function listTasks(
  desk: TaskDesk,
  params: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { pageSize = PAGE, pageToken, historyLength, includeArtifacts = false } = params
  checkList(params, pageSize)
  const found = await tasksOf(desk, params)
  const from = pageToken === '' ? 0 : found.findIndex(({ id }) => id === pageToken) + 1
  if (pageToken !== '' && from === 0) throw new RequestMalformedError('the pageToken is of no page')
  const page = found.slice(from, from + pageSize)
  const tasks = []
  for (const { id } of page) {
    const task = await desk.open(id)
    tasks.push(task.task({ historyLength, artifacts: includeArtifacts }))
  }
  const isMore = from + pageSize < found.length
  return {
    tasks,
    nextPageToken: isMore ? (page.at(-1)?.id ?? '') : '',
    pageSize,
    totalSize: found.length,
  }
}

function checkList(
  { status, statusTimestampAfter, historyLength }: ListTasksRequest,
  pageSize: number,
): void {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MOST_PAGE) {
    throw new RequestMalformedError(`pageSize is from 1 to ${MOST_PAGE}`)
  }
  if (taskStateToJSON(status) === 'UNRECOGNIZED') {
    throw new RequestMalformedError('status is not a state of a task')
  }
  if (historyLength !== undefined && !(historyLength >= 0)) {
    throw new RequestMalformedError('historyLength is 0 or more')
  }
  const after = statusTimestampAfter ?? ''
  if (after !== '' && Number.isNaN(Date.parse(after))) {
    throw new RequestMalformedError('statusTimestampAfter is a time of ISO 8601')
  }
}

async function tasksOf(
  desk: TaskDesk,
  { contextId, status, statusTimestampAfter }: ListTasksRequest,
): Promise<readonly Found[]> {
  const after = statusTimestampAfter ? Date.parse(statusTimestampAfter) : -Infinity
  const runs = await desk.runs({ limit: MOST_RUNS })
  const byId = new Map(runs.map((run) => [run.id, run]))
  const found: Found[] = []
  for (const run of runs) {
    const record = await desk.recordOf(run)
    if (record === undefined || (contextId !== '' && record.context !== contextId)) continue
    const last = byId.get(record.turns.at(-1)?.run ?? '') ?? run
    const changedAt = Math.max(last.changedAt, record.canceledAt ?? 0)
    if (changedAt < after) continue
    const isWanted = status === TaskState.TASK_STATE_UNSPECIFIED
    if (isWanted || (await stateOf(desk, record, last)) === status)
      found.push({ id: run.id, changedAt })
  }
  return found.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1))
}

/** From the summary if it has it, since reading all events of all tasks would be slow. */
async function stateOf(desk: TaskDesk, record: TaskRecord, last: RunSummary): Promise<TaskState> {
  if (record.canceledAt !== null) return TaskState.TASK_STATE_CANCELED
  const end = record.turns.at(-1)?.end ?? null
  if (end !== null) return stateAtEnd(turnEndOf(end))
  const [first] = record.turns
  return (await desk.open(first?.run ?? last.id)).state
}
