import { EchelonError } from 'echelon/runtime'
import type { KnowledgeFacts } from '@echelon/store'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { megabytes } from '../terminal/megabytes.ts'
import { counted } from '../terminal/counted.ts'

/** Findings in a knowledge file, or why it cannot be read. */
export type KnowledgeReport = { readonly file: string } & (
  | { readonly facts: KnowledgeFacts }
  | { readonly problem: string }
)

export async function examineKnowledgeFile(file: string): Promise<KnowledgeReport> {
  const { examineKnowledge } = await import('@echelon/store')
  try {
    return { file, facts: await examineKnowledge(file) }
  } catch (error) {
    if (error instanceof EchelonError && error.code === 'STORE_UNUSABLE') {
      return { file, problem: error.message }
    }
    throw error
  }
}

export const isWholeKnowledge = (report: KnowledgeReport): boolean =>
  'facts' in report && report.facts.damage.length === 0 && report.facts.damagedRows.length === 0

export function describeKnowledge(report: KnowledgeReport): string {
  if ('problem' in report) return pc.red(clean(report.problem))
  const { damage, damagedRows, bytes, documents, chunks } = report.facts
  const lines = [
    pc.bold(clean(`${report.file}  knowledge, ${megabytes(bytes)}`)),
    ...[...damage, ...damagedRows].map((line) => `  ${pc.red('damaged')}  ${clean(line)}`),
  ]
  if (damage.length > 0) return [...lines, pc.red(DAMAGED)].join('\n')
  lines.push(`  ${counted(documents, 'document')} in ${chunks} parts`)
  return damagedRows.length === 0 ? lines.join('\n') : [...lines, pc.red(DAMAGED_ROWS)].join('\n')
}

const DAMAGED =
  'the file is damaged and was not changed; move it away, and add the documents to a new file'

const DAMAGED_ROWS = 'damaged parts are not found; add their documents again to restore them'
