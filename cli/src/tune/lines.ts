import type { TuneReport } from 'echelon/evals'
import type { Judges } from './evidence.ts'

/**
 * The lines of TypeScript that use what was tuned, as the chat agent's middleware.
 * @param gate path of the fitted score
 * @returns undefined where no cascade is proposed
 */
export function linesOf(
  { proposal }: TuneReport,
  { code, imports, roles }: Judges,
  gate: string,
): string | undefined {
  if (proposal === null || proposal.threshold === null) return undefined
  const models = proposal.models.map(quoted).join(', ')
  const asked = Object.entries(roles).map(([role, model]) => `${role}: ${quoted(model)}`)
  return [
    "import { readFileSync } from 'node:fs'",
    "import { cascade } from 'echelon/middleware'",
    `import { ${imports.join(', ')} } from 'echelon/verify'`,
    '',
    `const gate = readCalibratedModel(JSON.parse(readFileSync(${quoted(gate)}, 'utf8')))`,
    `const layer = cascade([${models}], {`,
    `  verify: calibratedScore(gate, ${code}),`,
    `  accept: ${proposal.threshold},`,
    ...(asked.length === 0 ? [] : [`  ask: { ${asked.join(', ')} },`]),
    '})',
  ].join('\n')
}

/**
 * The lines of `config.yaml` that use what was tuned in `echelon decide` and `createDecider`.
 * @returns undefined where no cascade is proposed, and for tool calls, which decide does not take as answers
 */
export function configOf(
  { proposal }: TuneReport,
  { roles, judgesCalls }: Judges,
  gate: string,
): string | undefined {
  if (proposal === null || proposal.threshold === null || judgesCalls) return undefined
  const opinions = Object.values(roles)
  // JSON is YAML, whatever a name holds.
  return [
    'models:',
    `  ladder: ${JSON.stringify(proposal.models)}`,
    'gate:',
    `  file: ${JSON.stringify(gate)}`,
    `  accept: ${proposal.threshold}`,
    ...(opinions.length === 0 ? [] : [`  opinions: ${JSON.stringify(opinions)}`]),
  ].join('\n')
}

/** A name comes out of a file: whatever it holds, it stays one text. */
const quoted = (text: string): string =>
  /^[\w ./:@+-]*$/.test(text) ? `'${text}'` : JSON.stringify(text)
