import { execFile } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { runSecretLint } from 'secretlint'
import { z } from 'zod'
import { ALLOWED_SECRETS, type AllowedSecret } from './allowed-secrets.ts'
import { judged, type Check, type Finding, type Outcome } from './check.ts'

/** Secrets in the files of the repository at `root`. */
export const secrets = (root: string): Check => ({
  name: 'secrets',
  how: 'secretlint with its recommended rules over the files that git tracks and the new ones that it does not ignore; binary files are passed over',
  look: async () => {
    const files = await filesOf(root)
    return judgeSecrets(files, await lint(root, files), ALLOWED_SECRETS)
  },
})

/** Regular files only: a link is stored as the path it names, a submodule is not in this tree. */
async function filesOf(root: string): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 2 ** 26 })
  return stdout
    .split('\0')
    .filter((file) => file !== '')
    .filter((file) => lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true)
}

/** Findings of secretlint in one file, without its message, which could contain the secret. */
interface Linted {
  readonly filePath: string
  readonly sourceContentType: string
  readonly sourceContent?: string | undefined
  readonly messages: readonly {
    readonly ruleId: string
    readonly messageId: string
    readonly loc: { readonly start: { readonly line: number; readonly column: number } }
  }[]
}

const POSITION = z.object({ line: z.number(), column: z.number() })
const MESSAGE = z.object({
  ruleId: z.string(),
  messageId: z.string(),
  loc: z.object({ start: POSITION }),
})
const LINTED: z.ZodType<readonly Linted[]> = z.array(
  z.object({
    filePath: z.string(),
    sourceContentType: z.string(),
    sourceContent: z.string().optional(),
    messages: z.array(MESSAGE),
  }),
)

async function lint(root: string, files: readonly string[]): Promise<readonly Linted[]> {
  const { stdout } = await runSecretLint({
    cliOptions: {
      cwd: root,
      filePathOrGlobList: [...files],
      noGlob: true,
      respectGitignore: false,
    },
    engineOptions: {
      formatter: 'json',
      maskSecrets: true,
      configFileJSON: rulesWith(ALLOWED_SECRETS),
    },
  })
  return LINTED.parse(JSON.parse(stdout ?? '[]')).map((linted) => ({
    ...linted,
    filePath: relative(root, linted.filePath),
  }))
}

type SecretLintConfig = Extract<
  Parameters<typeof runSecretLint>[0]['engineOptions'],
  { configFileJSON: unknown }
>['configFileJSON']

const RULE = '@secretlint/secretlint-rule-'

/** Enables AWS access key ids, which the recommended rules leave out. */
const ASKED_FOR: Readonly<Record<string, object>> = { aws: { enableIDScanRule: true } }

/** The recommended rules with these exceptions. */
function rulesWith(allowed: readonly AllowedSecret[]): SecretLintConfig {
  const changed = new Set([...Object.keys(ASKED_FOR), ...allowed.map(({ rule }) => rule)])
  const rules = [...changed].map((name) => {
    const allows = allowed.filter(({ rule }) => rule === name).map(wholeValue)
    return { id: RULE + name, options: { ...ASKED_FOR[name], allows } }
  })
  return { rules: [{ id: `${RULE}preset-recommend`, rules }] }
}

/** A secretlint pattern for this exact value, to its end or to the closing quote. */
const wholeValue = ({ value }: AllowedSecret): string =>
  String.raw`/^${RegExp.escape(value)}(?:['"].*)?$/`

/**
 * Besides secrets, anything that could hide one is a finding: a file that secretlint skips, such as its
 * own settings, and a comment that disables it.
 */
function judgeSecrets(
  files: readonly string[],
  linted: readonly Linted[],
  allowed: readonly AllowedSecret[],
): Outcome {
  const seen = new Set(linted.map(({ filePath }) => filePath))
  const unseen = files
    .filter((file) => !seen.has(file))
    .map((file) => ({ subject: file, problem: 'secretlint leaves it out: take it away' }))
  const binary = linted.filter(({ sourceContentType }) => sourceContentType === 'binary').length
  return judged(
    { files: linted.length - binary, binary },
    [...linted.flatMap(secretsIn), ...linted.flatMap(hidingIn), ...unseen],
    allowed.map(({ rule, reason }) => ({ subject: `one value of the rule ${rule}`, reason })),
  )
}

const secretsIn = ({ filePath, messages }: Linted): readonly Finding[] =>
  messages.map(({ ruleId, messageId, loc: { start } }) => ({
    subject: `${filePath}:${start.line}:${start.column + 1}`,
    problem: `${messageId} (${ruleId.replace(RULE, '')}): take it out and withdraw it; if it is made up, name it in allowed-secrets.ts`,
  }))

const hidingIn = ({ filePath, sourceContent = '' }: Linted): readonly Finding[] =>
  /secretlint-(?:disable)/.test(sourceContent)
    ? [{ subject: filePath, problem: 'a comment switches secretlint off: take it out' }]
    : []
