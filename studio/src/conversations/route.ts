import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const conversationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/conversations',
  component: lazyRouteComponent(() => import('./conversations-view.tsx'), 'ConversationsView'),
})

export interface ConversationSearch {
  /** Whom a conversation with the support agent is with. */
  readonly customer?: string
}

export const conversationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/conversations/$agent/$session',
  validateSearch: ({ customer }: Record<string, unknown>): ConversationSearch =>
    typeof customer === 'string' ? { customer } : {},
  component: lazyRouteComponent(() => import('./conversation-view.tsx'), 'ConversationView'),
})
