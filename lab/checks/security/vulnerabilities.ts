import { execFile } from 'node:child_process'
import { z } from 'zod'
import { unavailable, type Check, type Outcome } from './check.ts'

export interface AuditSettings {
  /** Further options of npm, such as `--registry`. */
  readonly options?: readonly string[]
  /** How long the registry may take, in milliseconds; default one minute. */
  readonly limitMs?: number
}

/** Known vulnerabilities of what the lock file at `root` installs without development packages. */
export const vulnerabilities = (root: string, settings: AuditSettings = {}): Check => ({
  name: 'vulnerabilities',
  how: 'npm audit of the production dependencies in package-lock.json; high and critical ones fail',
  look: async () => judgeAudit(await audit(root, settings)),
})

// Offline, npm would ask no registry and report no vulnerabilities.
const AUDIT = ['audit', '--json', '--omit=dev', '--package-lock-only', '--loglevel=error']
const ASKING = '--offline=false'

/**
 * Returns npm's output; undefined if npm does not finish in time. Its exit status says nothing:
 * it is 1 both for findings and for an unanswered request.
 */
function audit(
  root: string,
  { options = [], limitMs = 60_000 }: AuditSettings,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const limits = { cwd: root, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const
  execFile('npm', [...AUDIT, ...options, ASKING], limits, (error, stdout) =>
    resolve(error?.killed === true ? undefined : stdout),
  )
  return promise
}

const SEVERITY = z.enum(['info', 'low', 'moderate', 'high', 'critical'])
type Severity = z.infer<typeof SEVERITY>
const FAILING: readonly Severity[] = ['high', 'critical']

const REPORT = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: SEVERITY,
      /** Advisories, and names of dependencies that bring theirs along. */
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
  metadata: z.object({ dependencies: z.object({ prod: z.number() }) }),
})

/** npm's own messages are dropped, because they contain URLs and local paths. */
const REFUSAL = z.object({
  statusCode: z.number().optional(),
  message: z.string().optional(),
  error: z.object({ code: z.string().optional() }).optional(),
})

function judgeAudit(answer: string | undefined): Outcome {
  if (answer === undefined) return unavailable('the registry did not answer in time')
  const json = parsed(answer)
  const report = REPORT.safeParse(json)
  if (!report.success) return unavailable(whyNot(json))
  const found = Object.entries(report.data.vulnerabilities)
  return {
    status: found.some(([, { severity }]) => FAILING.includes(severity)) ? 'fail' : 'pass',
    scanned: { packages: report.data.metadata.dependencies.prod },
    findings: found.map(([subject, { severity, via }]) => ({
      subject,
      problem: `${severity}: ${via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title}, ${one.url}`)).join('; ')}`,
    })),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whyNot(json: unknown): string {
  const { data = {} } = REFUSAL.safeParse(json)
  if (data.statusCode !== undefined) return `the registry answers ${data.statusCode} to an audit`
  const code = data.error?.code ?? /\bE[A-Z_]{4,}\b/.exec(data.message ?? '')?.[0]
  return `npm audit brought no report${code === undefined ? '' : ` (${code})`}`
}
