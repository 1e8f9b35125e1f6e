import type { BoundModel } from '../../../packages/echelon/src/core/model/model.ts'
import { standardVerifiers } from '../../../packages/echelon/src/decide.ts'
import { cascadeModel, cascadeReport, plan } from '../../../packages/echelon/src/verify.ts'
import { standardTools } from '@echelon/tools'
import { recordedAnswers } from './recorded-answers.ts'

/** A question with the recorded texts of two models, and whether each says what is right. */
export interface PrimeTexts {
  readonly question: string
  readonly small: PrimeText
  readonly big: PrimeText
}

export interface PrimeText {
  readonly text: string
  readonly right: boolean
}

/** The judgments of the verifier `plan` on the recorded answers, with the real calculator. */
export interface PlanFound {
  readonly proved: number
  readonly provedWrong: number
  readonly promoted: number
  /** Of those, the answers that were right. */
  readonly promotedRight: number
  /** Right answers after promotion to the bigger model. */
  readonly right: number
}

/** Runs the record as a cascade of two models: an answer that `plan` does not prove goes to the bigger one. */
export async function provedByPlan(
  rows: readonly PrimeTexts[],
  [smallName, bigName]: readonly [string, string],
): Promise<PlanFound> {
  const modelOf = (name: string, of: (row: PrimeTexts) => PrimeText): BoundModel =>
    recordedAnswers(
      `openai/${name}`,
      new Map(rows.map((row) => [row.question, [{ text: of(row).text }]])),
      () => 0,
    )
  const small = modelOf(smallName, (row) => row.small)
  const big = modelOf(bigName, (row) => row.big)
  const model = cascadeModel([small, big], {
    verify: plan(await standardVerifiers()),
    accept: 1,
    tools: (await standardTools()).filter(({ name }) => name === 'calculator'),
    passEvidence: false,
  })
  const found = { proved: 0, provedWrong: 0, promoted: 0, promotedRight: 0, right: 0 }
  for (const row of rows) {
    const { providerMetadata } = await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: row.question }] }],
    })
    const isPromoted = (cascadeReport(providerMetadata)?.promotions ?? 0) > 0
    found.proved += Number(!isPromoted)
    found.provedWrong += Number(!isPromoted && !row.small.right)
    found.promoted += Number(isPromoted)
    found.promotedRight += Number(isPromoted && row.small.right)
    found.right += Number((isPromoted ? row.big : row.small).right)
  }
  return found
}
