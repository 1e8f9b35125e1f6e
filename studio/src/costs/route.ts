import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { COST_GROUPS, type CostGroupView } from 'echelon/client'
import { rootRoute } from '../app/root-route.tsx'

export const RANGES = [7, 30, 90, 365] as const

export interface CostSearch {
  readonly by?: CostGroupView
  /** Days until today. */
  readonly days?: number
}

export const costsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/costs',
  validateSearch: ({ by, days }: Record<string, unknown>): CostSearch => {
    const group = COST_GROUPS.find((one) => one === by)
    const range = RANGES.find((one) => one === Number(days))
    return { ...(group && { by: group }), ...(range && { days: range }) }
  },
  component: lazyRouteComponent(() => import('./costs-view.tsx'), 'CostsView'),
})
