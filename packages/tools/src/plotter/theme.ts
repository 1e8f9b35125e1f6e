import type { Config } from 'vega-lite'

const INK = '#1b1f24'
const QUIET = '#57606a'
const RULE = '#c4cad1'
const GRID = '#e7eaee'

/** Style of all plots: dark heading, quiet axes, a grid behind the data. */
export const THEME: Config = {
  font: 'Inter',
  view: { stroke: 'transparent' },
  title: {
    anchor: 'start',
    frame: 'group',
    fontSize: 19,
    fontWeight: 600,
    color: INK,
    subtitleFontSize: 13.5,
    subtitleColor: QUIET,
    subtitlePadding: 7,
    offset: 14,
    limit: 800,
  },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
    labelColor: QUIET,
    titleColor: QUIET,
    gridColor: GRID,
    domainColor: RULE,
    tickColor: RULE,
    labelPadding: 6,
    titlePadding: 12,
  },
  axisX: { grid: false, labelOverlap: true, labelFlush: false },
  axisY: { domain: false, ticks: false },
  legend: {
    orient: 'top',
    direction: 'horizontal',
    labelFontSize: 13,
    labelColor: INK,
    symbolType: 'stroke',
    symbolSize: 500,
    symbolStrokeWidth: 3,
    columnPadding: 24,
    labelLimit: 300,
    offset: 12,
  },
}
