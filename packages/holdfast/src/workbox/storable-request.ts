import { mustBe } from './must-be';
import { requestDataOf, requestFrom, type RequestData } from './request-data';

/** A request in a shape that can be stored and made a `Request` again: Workbox's class, method by method. */
export class StorableRequest {
  private readonly _requestData: RequestData;

  static async fromRequest(request: Request): Promise<StorableRequest> {
    return new StorableRequest(await requestDataOf(request));
  }

  /** @throws WorkboxError `incorrect-type` when `requestData` or its `url` is missing */
  constructor(requestData: RequestData) {
    const where = { className: 'StorableRequest', funcName: 'constructor' };
    mustBe('object', requestData, { ...where, paramName: 'requestData' });
    mustBe('string', requestData.url, { ...where, paramName: 'requestData.url' });
    if (requestData['mode'] === 'navigate') requestData['mode'] = 'same-origin';
    this._requestData = requestData;
  }

  /** A copy that shares nothing with this one. */
  toObject(): RequestData {
    const { headers, body, ...rest } = this._requestData;
    return { ...rest, headers: { ...headers }, ...(body && { body: body.slice(0) }) };
  }

  toRequest(): Request {
    return requestFrom(this._requestData);
  }

  clone(): StorableRequest {
    return new StorableRequest(this.toObject());
  }
}
