import { createRouter } from '@tanstack/react-router'
import { approvalsRoute } from '../approvals/route.ts'
import { compareRoute } from '../compare/route.ts'
import { conversationRoute, conversationsRoute } from '../conversations/route.ts'
import { costsRoute } from '../costs/route.ts'
import { evaluationsRoute } from '../evaluations/route.ts'
import { homeRoute } from '../home/route.ts'
import { runRoute } from '../run/route.ts'
import { runsRoute } from '../runs/route.ts'
import { timeTravelRoute } from '../time-travel/route.ts'
import { startRoute } from '../start/route.ts'
import { rootRoute } from './root-route.tsx'

/** The views. A view is a folder; its `route.ts` names its path and loads the rest when it is opened. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    runsRoute,
    startRoute,
    runRoute,
    timeTravelRoute,
    compareRoute,
    conversationsRoute,
    conversationRoute,
    approvalsRoute,
    evaluationsRoute,
    costsRoute,
  ]),
  basepath: '/studio',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
