import { installOutbox } from 'holdfast/sw';
import { configFrom } from '../holdfast-config';
import { takeOrders } from './orders';

const options = new URL(location.href).searchParams;
installOutbox(configFrom(options), { onlyWrites: options.get('reads') === 'bypass' });
takeOrders({});
