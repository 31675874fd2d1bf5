import { installOutbox } from 'holdfast/sw';
import { configFrom } from '../holdfast-config';
import { takeOrders } from './orders';

installOutbox(configFrom(new URL(location.href).searchParams));
takeOrders({});
