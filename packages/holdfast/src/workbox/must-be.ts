import { WorkboxError } from 'workbox-core/_private/WorkboxError.js';

interface Where {
  readonly className: string;
  readonly funcName: string;
  readonly paramName: string;
}

/** @throws WorkboxError `incorrect-type` */
export function mustBe(type: 'object' | 'string', value: unknown, where: Where): void {
  if (typeof value === type && value !== null) return;
  throw new WorkboxError('incorrect-type', { moduleName: 'holdfast/workbox', ...where, expectedType: type });
}

/** @throws WorkboxError `incorrect-class` */
export function mustBeRequest(value: unknown, where: Where): void {
  if (value instanceof Request) return;
  throw new WorkboxError('incorrect-class', {
    moduleName: 'holdfast/workbox',
    ...where,
    expectedClassName: 'Request',
    expectedClass: Request,
    isReturnValueProblem: false,
  });
}
