import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const conversationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/conversations',
  component: lazyRouteComponent(() => import('./conversations-view.tsx'), 'ConversationsView'),
})
