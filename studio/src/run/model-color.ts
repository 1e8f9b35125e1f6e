/* A model has one color in the whole view of a run: the smallest is first. */

const COLORS = ['cyan', 'grape', 'pink', 'orange'] as const

export type ModelColor = (typeof COLORS)[number]

export const modelColor = (rung: number): ModelColor =>
  COLORS[Math.min(Math.max(rung, 0), COLORS.length - 1)] ?? COLORS[0]
