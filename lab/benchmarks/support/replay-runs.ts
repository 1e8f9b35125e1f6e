import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absent, type Row } from '../tools/row.ts'
import { equals } from './python/access.ts'
import { parsePython } from './python/json.ts'
import { callDirectly, callsOf } from './tau/direct-run.ts'
import { AIRLINE, type Domain, RETAIL } from './tau/domain.ts'
import { type DomainFiles, readDomain } from './tau/read-domain.ts'
import { findHash, hashOf, type RecordedHash, tupleHash } from './tau/recorded-hash.ts'
import { isCall, type RecordedCall, type RecordedRun } from './tau/recorded-run.ts'
import { TauData } from './tau/tau-data.ts'
import { type Mode, MODES, type Replayed, replayRun } from './tau/replay-run.ts'

/** Runs to replay with a process per message, which takes about a second each. */
const IN_PROCESSES = 1

/** Which of the recorded runs are replayed; default all. */
type Choose = (runs: readonly RecordedRun[]) => readonly RecordedRun[]

const all: Choose = (runs) => runs

/** Replays each recorded run of the airline; rows to print. */
export const airlineReplayFigures = (
  folder: string,
  modes: readonly Mode[] = MODES,
  choose: Choose = all,
): Promise<readonly Row[]> => replayFigures(AIRLINE, folder, { modes, choose })

/** Replays the right actions of each task of the shop; rows to print. */
export const retailReplayFigures = (
  folder: string,
  modes: readonly Mode[] = MODES,
  choose: Choose = all,
): Promise<readonly Row[]> => replayFigures(RETAIL, folder, { modes, choose })

/**
 * @param folder of all data sets
 * @throws EchelonError INVALID_INPUT for files that are there and cannot be read
 */
async function replayFigures(
  domain: Domain,
  folder: string,
  { modes, choose }: { readonly modes: readonly Mode[]; readonly choose: Choose },
): Promise<readonly Row[]> {
  const own = join(folder, domain.folder)
  const found = await readDomain(domain, own)
  if (found === undefined) return [absent(`${domain.folder}: replay`)]
  const files = { ...found, runs: choose(found.runs) }
  const known = findHash(domain, files)
  const isUnknown = known === undefined && files.runs.some((run) => hashOf(run) !== undefined)
  const hash = known ?? tupleHash(domain)
  const wanted = files.runs.map((run) => wantedOf({ domain, files, hash }, run))
  const rows: Row[] = []
  for (const mode of modes) {
    const runs = mode === 'processes' ? actingRuns(domain, files.runs) : [...files.runs.entries()]
    const start = performance.now()
    const compared: Compared[] = []
    const failures: string[] = []
    for (const [place, run] of runs) {
      const replay = { domain, base: files.base, folder: own, place }
      const replayed = await replayRun(replay, run, mode).catch((error: unknown) => {
        failures.push(`${run.id}: ${error instanceof Error ? error.message : String(error)}`)
        return { answers: [], texts: [], data: new TauData(files.base) }
      })
      compared.push(...compare(hash, wanted[place], replayed))
    }
    const seconds = (performance.now() - start) / 1000
    rows.push(...rowsOf(`${domain.name} ${NAMES[mode]}`, compared, { seconds, failures }))
  }
  const note = isUnknown
    ? `no formula that is known gives a hash of the record; is the database whole?${await readmeOf(folder)}`
    : hash.name
  return [...rows, ...goldRows(domain, note, wanted)]
}

const NAMES: Readonly<Record<Mode, string>> = {
  plain: 'as recorded',
  restarted: 'restarted each message',
  processes: 'a process each message',
  twice: 'calls delivered twice',
}

/** The dataset's own description of its hashes. */
async function readmeOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '')
  const line = text.split('\n').find((one) => /hash/i.test(one) && /sha|json|sort|str\(/i.test(one))
  return line === undefined ? '' : ` README.md: ${line.trim().slice(0, 300)}`
}

/** Some runs that change something. */
const actingRuns = (
  { tools }: Domain,
  runs: readonly RecordedRun[],
): readonly (readonly [number, RecordedRun])[] => {
  const acting = new Set(tools.filter(({ acts }) => acts === true).map(({ name }) => name))
  return [...runs.entries()]
    .filter(([, run]) => callsOf(run).some(({ call }) => acting.has(call.name)))
    .slice(0, IN_PROCESSES)
}

/** The comparison of a replayed run with its record. */
export interface Compared {
  readonly calls: number
  readonly equalBytes: number
  readonly equalJson: number
  /** Outputs that the record does not hold: the tools called directly stand in for it. */
  readonly unrecorded: number
  /** Answers identical to the record. */
  readonly texts: { readonly all: number; readonly equal: number }
  readonly isSameHash: boolean
  /** The hash that the same calls lead to without a router. */
  readonly isAsDirect: boolean
  /** Whether it reached the end of the right actions if and only if the record says so. */
  readonly isSameEnd: boolean | undefined
  /** Source of the expected hash. */
  readonly against: 'its own' | 'the right actions' | 'direct calls'
}

interface Basis {
  readonly domain: Domain
  readonly files: DomainFiles
  readonly hash: RecordedHash
}

/** Expected outcome of a run. */
interface Wanted {
  readonly run: RecordedRun
  readonly calls: readonly RecordedCall[]
  /** Answers of the tools when called directly. */
  readonly outputs: readonly string[]
  readonly directHash: string
  readonly goldHash: string
}

function wantedOf({ domain, files, hash }: Basis, run: RecordedRun): Wanted {
  const calls = callsOf(run)
  const named = calls.map(({ call }) => call)
  const { outputs, data } = callDirectly(domain, files.base, named)
  const goldHash = hash.of(goldEnd(domain, files, run))
  return { run, calls, outputs, directHash: hash.of(data), goldHash }
}

function compare(
  hashes: RecordedHash,
  wanted: Wanted | undefined,
  { answers, texts, data }: Replayed,
): readonly Compared[] {
  if (wanted === undefined) return []
  const { run, calls, outputs, directHash, goldHash } = wanted
  const pairs = calls.map(({ call, output }, index) => {
    const answer = answers[index]
    const got = answer?.tool === call.name ? answer.output : undefined
    return { wanted: output ?? outputs[index] ?? '', got }
  })
  // Extra answers would mean that a call acted twice.
  const isWhole = answers.length === calls.length
  const hash = hashes.of(data)
  const recorded = hashOf(run)
  const said = run.exchanges.flatMap(({ turns }) => turns.filter((turn) => !isCall(turn)))
  return [
    {
      calls: calls.length,
      equalBytes: isWhole ? pairs.filter(({ wanted, got }) => wanted === got).length : 0,
      equalJson: isWhole ? pairs.filter(({ wanted, got }) => isSameJson(wanted, got)).length : 0,
      unrecorded: calls.filter(({ output }) => output === undefined).length,
      texts: {
        all: said.length,
        equal: said.filter((turn) => 'text' in turn && texts.includes(turn.text)).length,
      },
      isSameHash: hash.startsWith(recorded ?? directHash),
      isAsDirect: hash === directHash,
      isSameEnd: run.endsAsGold === undefined ? undefined : run.endsAsGold === (hash === goldHash),
      against: againstOf(run),
    },
  ]
}

function againstOf(run: RecordedRun): Compared['against'] {
  if (run.hash !== undefined) return 'its own'
  return hashOf(run) === undefined ? 'direct calls' : 'the right actions'
}

function isSameJson(wanted: string, got: string | undefined): boolean {
  if (wanted === got || got === undefined) return wanted === got
  try {
    return equals(parsePython(wanted), parsePython(got))
  } catch {
    return false
  }
}

interface Took {
  readonly seconds: number
  /** Runs that could not be replayed, and why. */
  readonly failures: readonly string[]
}

function rowsOf(set: string, compared: readonly Compared[], run: Took): readonly Row[] {
  const { seconds, failures } = run
  const sum = (of: (one: Compared) => number): number =>
    compared.reduce((total, one) => total + of(one), 0)
  const calls = sum((one) => one.calls)
  const unrecorded = sum((one) => one.unrecorded)
  const notes = [
    `as JSON ${sum((one) => one.equalJson)}`,
    ...(unrecorded === 0 ? [] : [`${unrecorded} not on record: against direct calls`]),
    ...(failures.length === 0 ? [] : [`${failures.length} failed, such as ${failures[0]}`]),
    ...(sum((one) => one.texts.all) === 0
      ? []
      : [
          `answers word for word ${sum((one) => one.texts.equal)} of ${sum((one) => one.texts.all)}`,
        ]),
  ]
  const against = [...new Set(compared.map((one) => one.against))].map(
    (name) => `${compared.filter((one) => one.against === name).length} against ${name}`,
  )
  const rows = compared.length
  const ended = compared.filter((one) => one.isSameEnd !== undefined)
  return [
    {
      set: `${set}: outputs`,
      rows,
      counted: calls,
      right: sum((one) => one.equalBytes),
      seconds,
      note: notes.join('; '),
    },
    {
      set: `${set}: database hash`,
      rows,
      counted: rows,
      right: compared.filter((one) => one.isSameHash).length,
      seconds,
      note: [...against, `as by direct calls ${sum((one) => Number(one.isAsDirect))}`].join(', '),
    },
    ...(ended.length === 0
      ? []
      : [
          {
            set: `${set}: right or wrong end`,
            rows,
            counted: ended.length,
            right: ended.filter((one) => one.isSameEnd === true).length,
            seconds,
            note: 'the database ends as the right actions leave it, or not, as the record says',
          },
        ]),
  ]
}

/** Compares the hash after the right actions with the recorded one. */
function goldRows(domain: Domain, note: string, wanted: readonly Wanted[]): readonly Row[] {
  const known = wanted.filter(({ run }) => run.gold.hash !== undefined)
  if (known.length === 0) return []
  return [
    {
      set: `${domain.name} right actions: database hash`,
      rows: wanted.length,
      counted: known.length,
      right: known.filter(({ run, goldHash }) => goldHash.startsWith(run.gold.hash ?? '-')).length,
      seconds: 0,
      note,
    },
  ]
}

/** The database as the right actions leave it; those that end a conversation are not carried out. */
function goldEnd(domain: Domain, { base }: DomainFiles, { gold }: RecordedRun): TauData {
  const ends = new Set(domain.tools.filter((tool) => tool.ends === true).map(({ name }) => name))
  const calls = gold.calls.filter(({ name }) => !ends.has(name))
  return callDirectly(domain, base, calls).data
}
