import type {
  ArtifactView,
  RequestView,
  RunEndView,
  RunStatusView,
  RunSummaryView,
  RunView,
} from 'echelon/client'
import { isApproval } from 'echelon/internal/agent'
import type { Redactor } from 'echelon/internal/redaction'
import type { IndexedArtifact, OpenRequest, RunSummary } from 'echelon/internal/store'
import { sessionIn } from '../access/principal.ts'
import { clientCallIn } from '../agents/client-tools.ts'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { askedIn } from '../runs/asked.ts'
import { ownerOf, servedAs } from '../runs/owner.ts'

/** A time as the API writes it. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** An end as the API shows it. Its answer is the user's; what failed may quote a secret. */
const endView = (end: TurnEnd, redact: Redactor): RunEndView => ({
  status: end.status,
  text: end.text,
  ...(end.output !== undefined && { output: end.output }),
  reason: end.reason,
  detail: redact(end.detail),
  input_tokens: end.usage.input,
  output_tokens: end.usage.output,
  cost: end.cost,
  rungs: end.rungs.map(({ model, calls, input, output, cost }) => ({
    model,
    calls,
    input_tokens: input,
    output_tokens: output,
    cost,
  })),
  checked: end.checked,
  confidence: end.confidence,
  escalated: end.escalated,
  needs_input: end.needsInput,
  details: end.details,
})

const requestView = ({ id, about, at, until }: OpenRequest): RequestView => ({
  id,
  kind: isApproval(about)
    ? 'approval'
    : clientCallIn(about) === undefined
      ? 'question'
      : 'client_tool',
  about,
  asked_at: isoTime(at),
  expires_at: until === null ? null : isoTime(until),
})

/** A run as lists show it, redacted as its events are. A live run in this process is newer than the store. */
export function summaryView(run: RunSummary, redact: Redactor, live?: LiveRun): RunSummaryView {
  return {
    id: run.id,
    agent: servedAs(run) ?? run.agent,
    asked: redact(askedIn(run.input)),
    status: statusOf(run, live),
    reason: redact(run.reason),
    session: run.session === null ? null : (sessionIn(run.session)?.id ?? run.session),
    owner: ownerOf(run) ?? null,
    forked_from: run.forkedFrom,
    began_at: isoTime(run.beganAt),
    changed_at: isoTime(run.changedAt),
    requests: run.requests.map(requestView),
  }
}

function statusOf({ status }: RunSummary, live: LiveRun | undefined): RunStatusView {
  if (live?.end !== undefined) return live.end.status
  return live?.state === 'failed' ? 'failed' : status
}

/** A run with its end and its files. */
export const runView = (run: RunSummary, { live, end, artifacts, redact }: RunFacts): RunView => ({
  ...summaryView(run, redact, live),
  ...(end !== undefined && { status: end.status }),
  end: end === undefined ? null : endView(end, redact),
  artifacts: artifacts.map((artifact) => artifactView(run.id, artifact)),
})

interface RunFacts {
  readonly live?: LiveRun | undefined
  readonly end?: TurnEnd | undefined
  readonly artifacts: readonly IndexedArtifact[]
  readonly redact: Redactor
}

const artifactView = (
  run: string,
  { name, mediaType, bytes, sha256 }: IndexedArtifact,
): ArtifactView => ({
  name,
  media_type: mediaType,
  bytes,
  sha256,
  url: `/runs/${encodeURIComponent(run)}/artifacts/${encodeURIComponent(name)}`,
})

/** A run that no store has, such as of an agent without one. */
export const liveView = (live: LiveRun, now: number, redact: Redactor): RunView => ({
  id: live.id,
  agent: live.agent.name,
  asked: null,
  status: live.end?.status ?? (live.state === 'failed' ? 'failed' : 'running'),
  reason: live.end?.reason ?? null,
  session: live.session === null ? null : (sessionIn(live.session)?.id ?? null),
  owner: live.owner ?? null,
  forked_from: null,
  began_at: isoTime(now),
  changed_at: isoTime(now),
  requests: [],
  end: live.end === undefined ? null : endView(live.end, redact),
  artifacts: [],
})
