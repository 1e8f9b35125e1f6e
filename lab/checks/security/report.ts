import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import secretlint from 'secretlint/package.json' with { type: 'json' }
import rules from '@secretlint/secretlint-rule-preset-recommend/package.json' with { type: 'json' }
import spdxSatisfies from 'spdx-satisfies/package.json' with { type: 'json' }
import type { Check, Outcome } from './check.ts'

/** A check and its result. */
export interface Part extends Outcome {
  readonly name: string
  readonly how: string
}

/** The content of `security.json`. */
export interface Report {
  /** `incomplete` if nothing failed, but a check could not run. */
  readonly result: 'pass' | 'fail' | 'incomplete'
  /** When the scan began, in UTC. */
  readonly date: string
  /** The commit, with `-dirty` behind it if files differ from it; null outside a repository. */
  readonly commit: string | null
  readonly tools: Readonly<Record<string, string>>
  /** Number of parts per status, and number of findings. */
  readonly counts: Readonly<Record<Outcome['status'] | 'findings', number>>
  readonly parts: readonly Part[]
}

/** Runs the checks one after the other on the repository at `root`. */
export async function scan(root: string, checks: readonly Check[], now: Date): Promise<Report> {
  const parts: Part[] = []
  for (const check of checks) parts.push(await partOf(root, check))
  const count = (status: Outcome['status']): number =>
    parts.filter((part) => part.status === status).length
  return {
    result: resultOf(parts),
    date: now.toISOString(),
    commit: await commitOf(root),
    tools: {
      node: process.versions.node,
      npm: (await outputOf(root, 'npm', '--version')) ?? 'unknown',
      secretlint: secretlint.version,
      [rules.name]: rules.version,
      'spdx-satisfies': spdxSatisfies.version,
    },
    counts: {
      pass: count('pass'),
      fail: count('fail'),
      unavailable: count('unavailable'),
      findings: parts.reduce((sum, { findings }) => sum + findings.length, 0),
    },
    parts,
  }
}

/** A check that throws has not passed; its message may contain local paths. */
async function partOf(root: string, { name, how, look }: Check): Promise<Part> {
  try {
    return { name, how, ...(await look()) }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const problem = `broke off: ${words.replaceAll(`${root}/`, '').trim()}`
    return { name, how, status: 'fail', scanned: {}, findings: [{ subject: name, problem }] }
  }
}

export function resultOf(parts: readonly Pick<Outcome, 'status'>[]): Report['result'] {
  if (parts.some(({ status }) => status === 'fail')) return 'fail'
  return parts.some(({ status }) => status === 'unavailable') ? 'incomplete' : 'pass'
}

const commitOf = (root: string): Promise<string | null> =>
  outputOf(root, 'git', 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*')

async function outputOf(
  root: string,
  program: string,
  ...args: readonly string[]
): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: root })
    return stdout.trim()
  } catch {
    return null
  }
}

/** One line for the terminal: how the part ended, what was seen, and the first finding. */
export function lineOf({ status, name, scanned, reason, findings }: Part): string {
  const seen = Object.entries(scanned).map(([kind, count]) => `${count} ${kind}`)
  const [first, ...others] = findings.map(({ subject, problem }) => `${subject}: ${problem}`)
  const more = others.length === 0 ? '' : `; and ${others.length} more`
  const words = [
    seen.join(', '),
    ...(reason === undefined ? [] : [reason]),
    ...(first === undefined ? [] : [first + more]),
  ]
  const line = `${status.padEnd(11)} ${name.padEnd(15)} ${words.filter((one) => one !== '').join(' · ')}`
  return line.replaceAll('\n', ' ')
}
