import { EchelonError } from '../../core/value/error.ts'
import { isJson, isRecord } from '../../core/value/json.ts'
import { WANTED_KINDS } from './answers/answer-gate.ts'
import { TOOL_ERRORS, TOOL_FAULTS } from '../../core/tool/tool-call.ts'
import { UNCHECKED } from './settings/settings.ts'
import { type DecideState, FINISH_REASONS } from './state.ts'
import {
  byKind,
  type Check,
  each,
  having,
  isCount,
  isNumber,
  isText,
  oneOf,
  orAbsent,
  orNull,
} from './stored-shape.ts'
import { CHECKED } from './verification/verdict.ts'
import type { Verification } from './verification/verification.ts'

/**
 * Loads a state stored as JSON.
 * @throws EchelonError STATE_REFUSED that names the invalid part
 */
export function loadDecideState(stored: unknown, verification: Verification): DecideState {
  const snapshot = withNewFields(withAllowance(stored))
  if (isState(snapshot) && verification.isClaim(snapshot.loop.claim)) return snapshot
  const phase = isRecord(snapshot) ? snapshot['phase'] : undefined
  const where =
    typeof phase === 'string' && Object.hasOwn(PHASES, phase) ? `phase ${phase}` : 'phase'
  throw new EchelonError(
    'STATE_REFUSED',
    `this is not a stored state of the decision agent (${where}); finish the case on the version that stored it, or start it again`,
  )
}

/** "No limit" is a number that JSON cannot represent. */
function withAllowance(stored: unknown): unknown {
  const isUnlimited =
    isRecord(stored) && stored['phase'] === 'execute' && stored['allowance'] === null
  return isUnlimited ? { ...stored, allowance: Infinity } : stored
}

/** Adds the fields that states of earlier versions lack, with the values implied then. */
function withNewFields(stored: unknown): unknown {
  if (!isRecord(stored) || !isRecord(stored['loop'])) return stored
  const { task } = stored['loop']
  if (!isRecord(task) || 'rules' in task) return stored
  const older = { ...task, unchecked: 'escalate', rules: 1 }
  return { ...stored, loop: { ...stored['loop'], task: older, checked: 'not_checked' } }
}

const isTask = having({
  input: isText,
  expectedTools: each(isText),
  goldAnswer: orNull(isText),
  seed: orNull(isNumber),
  today: isText,
  timeZone: isText,
  runId: isText,
  unchecked: oneOf(...UNCHECKED),
  rules: isCount,
  wanted: orAbsent(having({ kind: oneOf(...WANTED_KINDS) })),
})

/** The claim's verifier checks its other fields. */
const isClaim = having({ kind: isText })

const isArtifact = having({
  name: isText,
  path: isText,
  mediaType: isText,
  bytes: isCount,
  sha256: isText,
})

const isOutcome = byKind('type', {
  ok: { value: (value) => isJson(value), artifacts: orAbsent(each(isArtifact)) },
  error: {
    code: oneOf(...Object.keys(TOOL_ERRORS)),
    message: isText,
    fault: orAbsent(oneOf(...TOOL_FAULTS)),
  },
  denied: { reason: isText },
  refused: { limit: isText },
  unknown: { message: isText },
})

const isCall = having({ id: isText, tool: isText, input: (value) => isJson(value) })

const isAction = having({
  tool: isText,
  args: (value) => isRecord(value) && isJson(value),
})

const isEvidence = having({
  rung: isCount,
  round: isCount,
  call: isCall,
  outcome: isOutcome,
  at: isNumber,
})

const isFailure = having({
  actions: each(isAction),
  reason: isText,
  forPerson: orAbsent(isText),
})

const isLoop = having({
  task: isTask,
  claim: isClaim,
  rung: isCount,
  rounds: isCount,
  actSteps: isCount,
  reprompt: orNull(isText),
  best: isNumber,
  stalled: isCount,
  evidence: each(isEvidence),
  failure: orNull(isFailure),
  answer: orNull(isText),
  checked: oneOf(...CHECKED),
  confidence: orAbsent(orNull(isNumber)),
})

const isAnswer = byKind('type', {
  text: { text: isText },
  json: { value: (value) => isJson(value) },
  calls: { calls: each(isCall) },
})

const isObserved = having({ type: oneOf('generated', 'tools-called', 'refused', 'failed') })

/** Must be complete, or the code does not compile. */
type ShapeOf<Name extends DecideState['phase']> = Readonly<
  Record<Exclude<keyof Extract<DecideState, { phase: Name }>, 'phase'>, Check>
>

const PHASES: { readonly [Name in DecideState['phase']]: ShapeOf<Name> } = {
  plan: { loop: isLoop },
  execute: {
    loop: isLoop,
    actions: each(isAction),
    ran: each(isEvidence),
    allowance: isNumber,
    at: isNumber,
  },
  verify: {
    loop: isLoop,
    actions: each(isAction),
    ran: each(isEvidence),
    checks: each(isCall),
  },
  judge: {
    loop: isLoop,
    answer: isAnswer,
    ran: each(isEvidence),
    observed: each(isObserved),
  },
  done: { loop: isLoop, reason: oneOf(...FINISH_REASONS), limit: orNull(isText) },
}

const isPhase = byKind('phase', PHASES)

const isState = (value: unknown): value is DecideState => isPhase(value)
